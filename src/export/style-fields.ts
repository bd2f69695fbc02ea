import { type Color, PRINT_KEYS } from '../brand/color.ts'
import type { TypeStyle } from '../brand/type-style.ts'

/** The fields of type styles except the id, in table order. */
export const ALL_TYPE_FIELDS = [
  'name',
  'family',
  'fallback',
  'size',
  'weight',
  'style',
  'leading',
  'tracking',
  'casing',
  'spacing',
  'responsive',
  'features',
  'axes',
  'sample',
] as const satisfies readonly (keyof TypeStyle)[]

/** The colour fields that token style sheets contain. */
export const CSS_COLOR_FIELDS: readonly (keyof Color)[] = ['hex', 'rgb', ...PRINT_KEYS]

/** The type style fields that CSS can express. */
export const CSS_TYPE_FIELDS = [
  'family',
  'fallback',
  'size',
  'weight',
  'style',
  'leading',
  'tracking',
  'casing',
  'spacing',
  'responsive',
  'features',
  'axes',
] as const satisfies readonly (keyof TypeStyle)[]
