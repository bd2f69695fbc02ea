import { type Color, PRINT_KEYS } from '../brand/color.ts'
import { keysOf } from '../brand/fields.ts'
import type { TypeStyle } from '../brand/type-style.ts'

/** The columns of type styles in tables, and whether CSS can express each. */
const TYPE_COLUMNS: Readonly<Record<Exclude<keyof TypeStyle, 'id'>, 'css' | 'no css'>> = {
  name: 'no css',
  family: 'css',
  fallback: 'css',
  size: 'css',
  weight: 'css',
  style: 'css',
  leading: 'css',
  tracking: 'css',
  casing: 'css',
  spacing: 'css',
  responsive: 'css',
  features: 'css',
  axes: 'css',
  sample: 'no css',
}

/** The fields of type styles except the id, in table order. */
export const ALL_TYPE_FIELDS = keysOf(TYPE_COLUMNS)

/** The colour fields that token style sheets contain. */
export const CSS_COLOR_FIELDS: readonly (keyof Color)[] = ['hex', 'rgb', ...PRINT_KEYS]

/** The type style fields that CSS can express. */
export const CSS_TYPE_FIELDS = ALL_TYPE_FIELDS.filter(key => TYPE_COLUMNS[key] === 'css')
