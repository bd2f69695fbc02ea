import type { Font } from 'fontkitten'
import { field, listIn, withoutUndefined } from '#platform/base/object.ts'
import { anyOf, firstLine, quote, wordsIn } from '#platform/base/text.ts'
import { type Characters, charactersOf } from './characters.ts'
import { type Feature, featuresOf } from './features.ts'
import { type FontKind, type MeanWidth, meanWidths } from './letter-widths.ts'

/** The metadata of a font besides its names. Lengths are multiples of the em. */
export type FontFacts = {
  /** The axes of a variable font. */
  axes: readonly FontAxis[]
  kind: FontKind
  /** The height of a line above and below its baseline, and the gap to the next line. */
  ascent: number
  descent: number
  lineGap: number
  /** The mean letter widths in body text, lightest first; a variable font has several. */
  widths: readonly MeanWidth[]
  characters: Characters
  features: readonly Feature[]
  /** The width of the family name in regular weight and the largest optical size, if a shaper has measured it. */
  nameWidth?: number
  /** The mean width of letters in Arabic text in regular weight, if a shaper has measured it. */
  arabicWidth?: number
  copyright?: string
  license?: string
  licenseUrl?: string
  embedding?: Embedding
}

/** An axis of a variable font, such as `wght` from 100 to 900; users should not set a hidden one. */
export type FontAxis = { tag: string; min: number; default: number; max: number; name?: string; isHidden?: true }

/** The embedding rights in the OS/2 table (OpenType, fsType). */
export type Embedding = {
  rights: 'installable' | 'editable' | 'preview' | 'restricted'
  maySubset: boolean
  /** Only bitmaps of its letters may be embedded. */
  onlyBitmaps: boolean
}

/** Reads the facts of an open font. May throw if tables are damaged. */
export function fontFacts(font: Font): FontFacts {
  const axes = axesOf(font)
  const characters = charactersOf(font)
  return {
    axes,
    kind: kindOf(font),
    ...linesOf(font),
    widths: meanWidths(font, axes),
    characters,
    features: featuresOf(font, characters),
    ...licenseFacts(font),
  }
}

export function licenseFacts(font: Font): Pick<FontFacts, 'copyright' | 'license' | 'licenseUrl' | 'embedding'> {
  const text = (key: string) => firstLine(fontNames(font, key), MAX_TEXT)
  return withoutUndefined({
    copyright: text('copyright'),
    license: text('license'),
    licenseUrl: text('licenseURL'),
    embedding: embeddingOf(font),
  })
}

/** A name of a font: in English, then in other languages. Empty if the table is missing, damaged or obfuscated. */
export function fontNames(font: Font, key: string): unknown[] {
  const names = field(field(field(font, 'name'), 'records'), key)
  const byLanguage = Object.entries(typeof names === 'object' && names !== null ? names : {})
  const english = byLanguage
    .filter(([language]) => language.split('-')[0] === 'en')
    .sort(([a], [b]) => a.length - b.length)
  return [...english, ...byLanguage].map(([, name]) => name).filter(name => !OBFUSCATED.test(String(name)))
}

/**
 * Punctuation, hexadecimal digits such as `3f2a1c_0`, and what converters write: `Untitled-1`, `undefined`, `webfont`.
 */
const OBFUSCATED = /^(?:[^\p{L}\p{N}]*|[0-9a-f]{6}(?:_[0-9a-f]+)+|[0-9a-f-]{16,}|untitled[- ]?\d*|undefined|webfont)$/iu

function axesOf(font: Font): FontAxis[] {
  // The parser looks up axis names here, and treats the table as damaged if a font has none.
  const records = field(field(font, 'name'), 'records')
  if (typeof records === 'object' && records !== null && !('fontFeatures' in records))
    Object.assign(records, { fontFeatures: {} })
  const axes = field(field(font, 'fvar'), 'axis')
  return listIn(axes)
    .slice(0, MAX_AXES)
    .flatMap(axis => {
      const tag = field(axis, 'axisTag')
      const numbers = ['minValue', 'defaultValue', 'maxValue'].map(key => numberOf(field(axis, key), NaN))
      const [min = NaN, start = NaN, max = NaN] = numbers
      if (typeof tag !== 'string' || !(min <= start && start <= max)) return []
      const isHidden = (numberOf(field(axis, 'flags')) & HIDDEN_AXIS) > 0 ? (true as const) : undefined
      const name = firstLine([field(field(axis, 'name'), 'en')], 40)
      return [withoutUndefined({ tag: tag.trim(), min, default: start, max, name, isHidden })]
    })
}

const MAX_AXES = 16
/** OpenType, fvar flags: an axis for the program that made the font. */
const HIDDEN_AXIS = 1

/** The kind of a font by its PANOSE numbers, which describe the letters of a font for Latin text (`bFamilyType` 2). */
function kindOf(font: Font): FontKind {
  const panose = field(field(font, 'OS/2'), 'panose')
  const [family, serif = 0, , proportion] = listIn(panose).map(each => numberOf(each))
  const isMonospaced = family === 2 && proportion === 9
  if (field(field(font, 'post'), 'isFixedPitch') === 1 || isMonospaced) return 'mono'
  // From 2, Cove, to 10, Triangle; from 11 on, the styles are sans.
  return family === 2 && serif >= 2 && serif <= 10 ? 'serif' : 'sans'
}

/** The line metrics that browsers use: from hhea, unless it is empty or OS/2 sets `useTypoMetrics`. */
function linesOf(font: Font): { ascent: number; descent: number; lineGap: number } {
  const [os2, hhea] = [field(font, 'OS/2'), field(font, 'hhea')]
  const em = numberOf(field(field(font, 'head'), 'unitsPerEm')) || 1000
  const horizontal = ['ascent', 'descent', 'lineGap'].map(key => numberOf(field(hhea, key)))
  const typographic = ['typoAscender', 'typoDescender', 'typoLineGap'].map(key => numberOf(field(os2, key)))
  const isEmpty = horizontal.every(value => value === 0)
  const isTypographic = field(field(os2, 'fsSelection'), 'useTypoMetrics') === true || isEmpty
  const [ascent = 0, descent = 0, lineGap = 0] = isTypographic ? typographic : horizontal
  return { ascent: ascent / em, descent: Math.abs(descent) / em, lineGap: Math.max(0, lineGap) / em }
}

/** OpenType, OS/2 fsType: if several of bits 1 to 3 are set, the least restrictive one applies. */
function embeddingOf(font: Font): Embedding | undefined {
  const bits = field(field(font, 'OS/2'), 'fsType')
  if (typeof bits !== 'object') return undefined
  const has = (name: string) => field(bits, name) === true
  const [, rights = 'installable'] = RIGHTS.find(([name]) => has(name)) ?? []
  return { rights, maySubset: !has('noSubsetting'), onlyBitmaps: has('bitmapOnly') }
}

/** The bits and what they allow, the least restrictive one first. */
const RIGHTS = [
  ['editable', 'editable'],
  ['viewOnly', 'preview'],
  ['noEmbedding', 'restricted'],
] as const

/** Keeps one paragraph, or the beginning of a whole licence text. */
const MAX_TEXT = 2000

function numberOf(value: unknown, otherwise = 0): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : otherwise
}

/** The reason in a font's metadata against use on the web; undefined if there is none. */
export function webObstacle({ embedding, license = '' }: Pick<FontFacts, 'embedding' | 'license'>): string | undefined {
  if (embedding?.rights === 'restricted') return 'its embedding rights (OS/2 fsType) forbid embedding'
  if (embedding?.onlyBitmaps) return 'its embedding rights (OS/2 fsType) allow embedding only bitmaps'
  const sentence = license.split(/(?<=[.;!])\s/).find(each => FORBIDDING.test(each))
  return sentence && `its licence says ${quote(sentence)}`
}

/** Words that mention the web. */
const WEB = anyOf(wordsIn('web, webfont, webfonts, website, websites, online, font-face'))
/** Words that forbid something, or require a separate licence. */
const AGAINST = anyOf(
  wordsIn('not, no, never, prohibited, forbidden, without, separate, additional, desktop only, desktop use only'),
)
const FORBIDDING = new RegExp(`^(?=.*\\b${WEB}\\b)(?=.*\\b${AGAINST}\\b)`, 'is')
