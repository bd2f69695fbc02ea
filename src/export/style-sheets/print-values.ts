import type { Color } from '../../brand/color.ts'
import { cssString } from '../css/css-text.ts'

/** The print values of a colour. Their names also begin the names of variables, before the id of the colour. */
export const PRINT_FIELDS = ['cmyk', 'pms', 'pms2', 'ral'] as const satisfies readonly (keyof Color)[]

/**
 * A print value of a colour in CSS, undefined if it has none: CMYK as the colour that printing programs take
 * (CSS Color 5 §9.2), a Pantone reference as a string, and RAL as a number.
 */
export function printValue(color: Color, field: (typeof PRINT_FIELDS)[number]): string | undefined {
  const value = color[field]
  if (value === undefined) return undefined
  if (typeof value === 'number') return `${value}`
  if (field !== 'cmyk') return cssString(value)
  return `device-cmyk(${value
    .split(',')
    .map(part => `${part.trim()}%`)
    .join(' ')})`
}
