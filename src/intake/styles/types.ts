import { withoutUndefined } from '../../base/object.ts'
import type { Problem } from '../../brand/finding.ts'
import { CASINGS, type TypeStyle } from '../../brand/type-style.ts'
import { type Fields, lineOf, optional } from '../yaml/fields.ts'
import { readNumber } from '../yaml/numbers.ts'
import { readFlag, readOneOf, readShortText } from '../yaml/texts.ts'
import { readFeatures } from './features.ts'
import { readStyleList } from './style-list.ts'

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
export function readTypes(text: string): { types: WrittenTypeStyle[]; problems: Problem[] } {
  const { entries, problems } = readStyleList(text, 'a type style', KEYS, readType)
  return { types: entries.map(({ style, fields }) => ({ style, line: lineOf(fields, 'family') })), problems }
}

const readSize = readNumber('a number of px above 0, as in 16', number => number > 0)
const readLeading = readNumber('a multiple of the size above 0, as in 1.5', number => number > 0)
const readTracking = readNumber('a number of em, as in -0.02', () => true)
const readSpacing = readNumber('a number of em, 0 or more, as in 0.5', number => number >= 0)

function readType(fields: Fields<(typeof KEYS)[number]>): Omit<TypeStyle, 'id' | 'name'> {
  const features = fields.entries.get('features')?.value
  return {
    ...withoutUndefined({
      family: optional(fields, 'family', readShortText),
      size: optional(fields, 'size', readSize),
      leading: optional(fields, 'leading', readLeading),
      tracking: optional(fields, 'tracking', readTracking),
    }),
    casing: optional(fields, 'casing', readOneOf(CASINGS)) ?? 'none',
    ...withoutUndefined({ spacing: optional(fields, 'spacing', readSpacing) }),
    responsive: optional(fields, 'responsive', readFlag) ?? false,
    features: features === undefined ? {} : readFeatures(features, fields.problems),
  }
}
