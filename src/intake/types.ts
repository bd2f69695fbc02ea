import type { Remark } from '../brand/finding.ts'
import { present } from '../brand/present.ts'
import { CASINGS, type TypeStyle } from '../brand/type-style.ts'
import { readFeatures } from './features.ts'
import { type Fields, lineOf, take } from './fields.ts'
import { readNumber } from './numbers.ts'
import { readStyleList } from './style-list.ts'
import { readFlag, readOneOf, readShortText } from './texts.ts'

const KEYS = [
  'id',
  'name',
  'family',
  'size',
  'leading',
  'tracking',
  'casing',
  'spacing',
  'responsive',
  'features',
] as const

/** A type style and where it stands in its file: the line of its family, or of its first key where it has none. */
export type WrittenTypeStyle = { style: TypeStyle; line: number }

/** Reads `styles/types.yaml`: the type styles as written, those that have no error, and what is wrong with the others. */
export function readTypes(text: string): { types: WrittenTypeStyle[]; remarks: Remark[] } {
  const { entries, remarks } = readStyleList(text, 'a type style', KEYS, readType)
  return { types: entries.map(({ style, fields }) => ({ style, line: lineOf(fields, 'family') })), remarks }
}

const readSize = readNumber('a number of px above 0, as in 16', number => number > 0)
const readLeading = readNumber('a multiple of the size above 0, as in 1.5', number => number > 0)
const readTracking = readNumber('a number of em, as in -0.02', () => true)
const readSpacing = readNumber('a number of em, 0 or more, as in 0.5', number => number >= 0)

function readType(fields: Fields<(typeof KEYS)[number]>): Omit<TypeStyle, 'id' | 'name'> {
  const features = fields.entries.get('features')?.value
  return {
    ...present({
      family: take(fields, 'family', readShortText),
      size: take(fields, 'size', readSize),
      leading: take(fields, 'leading', readLeading),
      tracking: take(fields, 'tracking', readTracking),
    }),
    casing: take(fields, 'casing', readOneOf(CASINGS)) ?? 'none',
    ...present({ spacing: take(fields, 'spacing', readSpacing) }),
    responsive: take(fields, 'responsive', readFlag) ?? false,
    features: features === undefined ? {} : readFeatures(features, fields.remarks),
  }
}
