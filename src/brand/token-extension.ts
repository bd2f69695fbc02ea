/**
 * The key under `$extensions` of a design token (Design Tokens Format 2025.10 §5.2.3) for values that the format cannot
 * express: a style's authored values, named as in `Color` and `TypeStyle`.
 */
export const TOKEN_EXTENSION = 'housestyle'
