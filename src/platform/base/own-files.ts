import { extname } from 'node:path'

/*
 * The only module that computes places from its own: other code asks it, so that a moved file still finds what it needs.
 */

/** The program's code: `src/` in a checkout, `dist/` in the package. */
export const CODE = new URL('../../', import.meta.url)

/** The checkout or package that contains the code, `package.json`, `migrations/`, `schemas/` and `openapi.json`. */
export const PACKAGE = new URL('../', CODE)

/** The extension of the program's modules: `.ts` in a checkout, `.js` in the package. */
export const MODULE_EXTENSION = extname(import.meta.url)
