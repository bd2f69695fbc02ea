import { inSteps } from '../../base/steps.ts'
import type { Color } from '../../brand/color.ts'
import type { TypeStyle } from '../../brand/type-style.ts'
import { describeOmission } from '../omissions.ts'

/** What design tokens cannot say of these styles; `without` are those that have no token, in the head of the file or not. */
export async function describeTokenOmissions(
  colors: readonly Color[],
  types: readonly TypeStyle[],
  without: { styles: readonly TypeStyle[]; isInHead: boolean },
): Promise<string[]> {
  const styles = [...colors, ...types]
  const isBracedAt = await inSteps(styles, styleHasBraces)
  const families = types.filter(({ family = '', fallback = [] }) => [family, ...fallback].some(isBraced))
  const unsized = types.filter(({ size, tracking = 0 }) => size === undefined && tracking !== 0)
  return [
    ...describeOmission(
      'style',
      styles.filter((_, at) => isBracedAt[at]).map(({ id }) => id),
      'braces in the texts under $extensions are references to Style Dictionary, and cannot be escaped',
    ),
    ...describeOmission(
      'style',
      styles.filter(({ id }) => id === 'constructor').map(({ id }) => id),
      'Style Dictionary and Terrazzo cannot read a token of this id',
    ),
    ...describeOmission(
      'type style',
      families.map(({ id }) => id),
      'a family with braces is a reference in design tokens, so that it stands under $extensions alone',
    ),
    ...describeOmission(
      'type style',
      unsized.map(({ id }) => id),
      'design tokens say letter spacing in px, so that tracking without a size stands under $extensions alone',
    ),
    ...describeOmission(
      'type style',
      without.styles.map(({ id }) => id),
      `nothing in it has a design token, so that it ${without.isInHead ? 'stands under $extensions of the file' : 'is left out'}`,
    ),
  ]
}

/** Whether a text would be a reference, or part of one. */
export function isBraced(text: string): boolean {
  return /[{}]/.test(text)
}

function styleHasBraces(style: Color | TypeStyle): boolean {
  return Object.values(style).some(value =>
    Array.isArray(value) ? value.some(each => isBraced(`${each}`)) : typeof value === 'string' && isBraced(value),
  )
}
