import type { Color } from '../../brand/color.ts'
import type { TypeStyle } from '../../brand/type-style.ts'
import { describeOmission } from '../omissions.ts'

/** Describes the values of these styles that design tokens cannot contain. `without` are the styles without a token. */
export function describeTokenOmissions(
  colors: readonly Color[],
  types: readonly TypeStyle[],
  without: { styles: readonly TypeStyle[]; isInHead: boolean },
): string[] {
  const styles = [...colors, ...types]
  const families = types.filter(({ family = '', fallback = [] }) => [family, ...fallback].some(isBraced))
  const unsized = types.filter(({ size, tracking = 0 }) => size === undefined && tracking !== 0)
  return [
    ...describeOmission(
      'style',
      styles.filter(styleHasBraces).map(({ id }) => id),
      'Style Dictionary parses braces in strings under $extensions as references, and they cannot be escaped',
    ),
    ...describeOmission(
      'style',
      styles.filter(({ id }) => id === 'constructor').map(({ id }) => id),
      'Style Dictionary and Terrazzo cannot read a token with this id',
    ),
    ...describeOmission(
      'type style',
      families.map(({ id }) => id),
      'design tokens parse a family with braces as a reference, so it is only under $extensions',
    ),
    ...describeOmission(
      'type style',
      unsized.map(({ id }) => id),
      'design tokens have letter spacing in px, so tracking without a size is only under $extensions',
    ),
    ...describeOmission(
      'type style',
      without.styles.map(({ id }) => id),
      `design tokens have no place for its values, so it is ${without.isInHead ? 'only under $extensions of the file' : 'left out'}`,
    ),
  ]
}

/** Whether a string would be a reference, or part of one. */
export function isBraced(text: string): boolean {
  return /[{}]/.test(text)
}

function styleHasBraces(style: Color | TypeStyle): boolean {
  return Object.values(style).some(value =>
    Array.isArray(value) ? value.some(each => isBraced(`${each}`)) : typeof value === 'string' && isBraced(value),
  )
}
