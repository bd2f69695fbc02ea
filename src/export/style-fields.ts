import type { Color } from '../brand/color.ts'
import type { TypeStyle } from '../brand/type-style.ts'

/** What colours have besides their id, in the order of tables. */
export const ALL_COLOR_FIELDS = [
  'name',
  'hex',
  'rgb',
  'cmyk',
  'pms',
  'pms2',
  'ral',
  'group',
  'use',
  'on',
  'proportion',
  'tintOf',
] as const satisfies readonly (keyof Color)[]

/** What type styles have besides their id, in the order of tables. */
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
  'sample',
] as const satisfies readonly (keyof TypeStyle)[]

/** The fields of colours that style sheets of tokens have. */
export const CSS_COLOR_FIELDS = ['hex', 'rgb', 'cmyk', 'pms', 'pms2', 'ral'] as const satisfies readonly (keyof Color)[]

/** What type styles have that CSS says. */
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
] as const satisfies readonly (keyof TypeStyle)[]
