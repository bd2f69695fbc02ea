import type { Font } from 'fontkitten'
import { field, withoutUndefined } from '../base/object.ts'
import { type Characters, charactersOf } from './characters.ts'
import { type Feature, featuresOf } from './features.ts'
import { type FontKind, type MeanWidth, meanWidths } from './letter-widths.ts'
import { fontNames } from './open-font.ts'

/** What a font says of itself beyond its names. Lengths are multiples of the em. */
export type FontFacts = {
  /** What a variable font can be set to. */
  axes: readonly FontAxis[]
  kind: FontKind
  /** How far a line reaches above and below its baseline, and the gap to the next. */
  ascent: number
  descent: number
  lineGap: number
  /** How wide its letters are in running text, the lightest first: of a variable font at several weights. */
  widths: readonly MeanWidth[]
  /** The characters that it has. */
  characters: Characters
  /** What it can do to them. */
  features: readonly Feature[]
  copyright?: string
  license?: string
  licenseUrl?: string
  embedding?: Embedding
}

/** An axis of a variable font, as `wght` from 100 to 900. */
type FontAxis = { tag: string; min: number; default: number; max: number }

/** What the table OS/2 allows documents to do with a font (OpenType, fsType). */
export type Embedding = {
  rights: 'installable' | 'editable' | 'preview' | 'restricted'
  maySubset: boolean
  /** Only bitmaps of its letters may be embedded. */
  onlyBitmaps: boolean
}

/** Reads the facts of a font that was opened. It may throw if tables are damaged. */
export function fontFacts(font: Font): FontFacts {
  const axes = axesOf(font)
  const characters = charactersOf(font)
  return {
    axes,
    kind: kindOf(font),
    ...linesOf(font),
    widths: meanWidths(
      font,
      axes.find(({ tag }) => tag === 'wght'),
    ),
    characters,
    features: featuresOf(font, characters),
    ...licenseFacts(font),
  }
}

/** What a font says of its licence and of its use in documents. */
export function licenseFacts(font: Font): Pick<FontFacts, 'copyright' | 'license' | 'licenseUrl' | 'embedding'> {
  const text = (key: string) => longText(fontNames(font, key))
  return withoutUndefined({
    copyright: text('copyright'),
    license: text('license'),
    licenseUrl: text('licenseURL'),
    embedding: embeddingOf(font),
  })
}

function axesOf(font: Font): FontAxis[] {
  // The parser looks up the names of axes there, and takes the table for damaged if a font has none.
  const records = field(field(font, 'name'), 'records')
  if (typeof records === 'object' && records !== null && !('fontFeatures' in records))
    Object.assign(records, { fontFeatures: {} })
  const axes = field(field(font, 'fvar'), 'axis')
  return (Array.isArray(axes) ? axes : []).slice(0, MAX_AXES).flatMap(axis => {
    const [tag, min, start, max] = ['axisTag', 'minValue', 'defaultValue', 'maxValue'].map(key => field(axis, key))
    if (typeof tag !== 'string' || !isNumber(min) || !isNumber(start) || !isNumber(max)) return []
    return min <= start && start <= max ? [{ tag: tag.trim(), min, default: start, max }] : []
  })
}

const MAX_AXES = 16

/** PANOSE tells the kind of letters that a font for Latin text has (`bFamilyType` 2). */
function kindOf(font: Font): FontKind {
  const panose = field(field(font, 'OS/2'), 'panose')
  const [family, serif, , proportion] = Array.isArray(panose) ? panose : []
  if (field(field(font, 'post'), 'isFixedPitch') === 1 || (family === 2 && proportion === 9)) return 'mono'
  return family === 2 && serif >= 2 && serif <= 10 ? 'serif' : 'sans'
}

/** The lines of a font as browsers take them: from hhea, unless it is empty or OS/2 says that its own count. */
function linesOf(font: Font): { ascent: number; descent: number; lineGap: number } {
  const [os2, hhea] = [field(font, 'OS/2'), field(font, 'hhea')]
  const em = numberOf(field(field(font, 'head'), 'unitsPerEm')) || 1000
  const own = ['ascent', 'descent', 'lineGap'].map(key => numberOf(field(hhea, key)))
  const typographic = ['typoAscender', 'typoDescender', 'typoLineGap'].map(key => numberOf(field(os2, key)))
  const isTypographic = field(field(os2, 'fsSelection'), 'useTypoMetrics') === true || own.every(value => value === 0)
  const [ascent = 0, descent = 0, lineGap = 0] = isTypographic ? typographic : own
  return { ascent: ascent / em, descent: Math.abs(descent) / em, lineGap: Math.max(0, lineGap) / em }
}

/** OpenType, OS/2 fsType: if several of bits 1 to 3 are set, the one that allows most counts. */
function embeddingOf(font: Font): Embedding | undefined {
  const bits = field(field(font, 'OS/2'), 'fsType')
  if (typeof bits !== 'object') return undefined
  const has = (name: string) => field(bits, name) === true
  const rights = has('editable')
    ? 'editable'
    : has('viewOnly')
      ? 'preview'
      : has('noEmbedding')
        ? 'restricted'
        : 'installable'
  return { rights, maySubset: !has('noSubsetting'), onlyBitmaps: has('bitmapOnly') }
}

function longText(names: readonly unknown[]): string | undefined {
  const text = names.find(name => typeof name === 'string' && name.trim() !== '')
  if (typeof text !== 'string') return undefined
  return text
    .slice(0, MAX_TEXT)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .toWellFormed()
    .trim()
}

/** Licences are given in a paragraph or as a whole; of a whole one this is the beginning. */
const MAX_TEXT = 2000

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

function numberOf(value: unknown): number {
  return isNumber(value) ? value : 0
}
