import type { Color, PRINT_KEYS } from '../../brand/color.ts'
import { cssString } from '../css/css-text.ts'

/**
 * A print value of a colour in CSS; undefined if it has none. CMYK is a colour for printing programs (CSS Color 5
 * §9.2), a Pantone reference is a string, and RAL is a number.
 */
export function printValue(color: Color, field: (typeof PRINT_KEYS)[number]): string | undefined {
  const value = color[field]
  if (value === undefined) return undefined
  if (typeof value === 'number') return `${value}`
  if (field !== 'cmyk') return cssString(value)
  return `device-cmyk(${value
    .split(',')
    .map(part => `${part.trim()}%`)
    .join(' ')})`
}
