import type { Font } from 'fontkitten'
import { field, listIn, valuesAt, withoutUndefined } from '#platform/base/object.ts'
import { firstLine, wordSet } from '#platform/base/text.ts'
import { type Characters, codePoints } from './characters.ts'

export type Feature = {
  tag: string
  name?: string
  /** Some of the strings that it changes, single letters first. */
  changes: readonly string[]
  /** A string that shows its effect, if a shaper has confirmed that there is one (`shapedFacts`). */
  sample?: string
}

/**
 * The features of GSUB that authors may set, by tag, with examples of single glyphs and ligatures in `changes`. A feature
 * has a record for each script; they refer to lookups, which say which glyphs are replaced.
 */
export function featuresOf(font: Font, { ranges }: Characters): Feature[] {
  const table = field(font, 'GSUB')
  /** By tag: the indexes of the lookups of all its records. */
  const lookupsOf = new Map<string, Set<number>>()
  const names = new Map<string, string>()
  for (const record of listIn(field(table, 'featureList'))) {
    const tag = String(field(record, 'tag'))
    const feature = field(record, 'feature')
    if (!TAG.test(tag) || HIDDEN.has(tag)) continue
    if (lookupsOf.size >= MAX_FEATURES) break
    const lookups = lookupsOf.get(tag) ?? new Set()
    for (const index of listIn(field(feature, 'lookupListIndexes'))) if (typeof index === 'number') lookups.add(index)
    lookupsOf.set(tag, lookups)
    const name = featureName(font, feature)
    if (name !== undefined) names.set(tag, name)
  }
  if (lookupsOf.size === 0) return []
  const characterOf = charactersByGlyph(font, ranges)
  const features = Array.from(lookupsOf, ([tag, indexes]) => {
    const name = names.get(tag)
    const lookups = Array.from(indexes, index => lookupAt(table, index))
    return withoutUndefined({ tag, name, changes: changesOf(lookups, characterOf) })
  })
  return features.sort((a, b) => (a.tag < b.tag ? -1 : 1))
}

const TAG = /^[a-z0-9]{4}$/i
/**
 * Features that scripts always apply, parts of other features, all alternates at once, widths for lines and columns, and
 * forms below the line of Indic scripts.
 */
const HIDDEN = wordSet(`aalt ccmp locl mark mkmk rlig rclt rvrn init medi med2 fina fin2 fin3 isol calt dnom numr vert
    vrt2 hkna vkna ljmo vjmo tjmo akhn abvm abvs cjct half haln nukt pref pres pstf psts rkrf rphf vatu
    cfar ltra ltrm rtla rtlm stch vhal vpal blwf blwm blws`)
const MAX_FEATURES = 100
const MAX_NAME = 100
const MAX_CHANGES = 300

/** Stylistic sets and character variants may have a name (OpenType, `ss01` and `cv01`). */
function featureName(font: Font, feature: unknown): string | undefined {
  const id = field(field(feature, 'featureParams'), 'nameID')
  const names = field(field(field(font, 'name'), 'records'), 'fontFeatures')
  return firstLine([field(field(names, String(id)), 'en')], MAX_NAME)
}

/** Characters by the number of their glyph. */
type Letters = ReadonlyMap<unknown, string>

/** The first character of each glyph, among the first characters of a font. */
function charactersByGlyph(font: Font, ranges: Characters['ranges']): Letters {
  const characters = new Map<number, string>()
  for (const code of codePoints(ranges).take(MAX_CHARACTERS)) {
    const { id } = font.glyphForCodePoint(code)
    if (!characters.has(id)) characters.set(id, String.fromCodePoint(code))
  }
  return characters
}

const MAX_CHARACTERS = 3000

function lookupAt(table: unknown, index: number): unknown {
  const lookups = field(table, 'lookupList')
  return isLazyArray(lookups) ? lookups.get(index) : undefined
}

/** The parser reads long arrays item by item. */
function isLazyArray(value: unknown): value is { get: (index: number) => unknown } {
  return typeof field(value, 'get') === 'function'
}

/** The changed strings, shortest first, then in Unicode order. */
function changesOf(lookups: readonly unknown[], characterOf: Letters): string[] {
  const texts = new Set<string>()
  for (const lookup of lookups)
    for (const subTable of listIn(field(lookup, 'subTables')))
      for (const text of changedBy(field(lookup, 'lookupType'), subTable, characterOf)) texts.add(text)
  return [...texts].sort((a, b) => a.length - b.length || (a < b ? -1 : 1)).slice(0, MAX_CHANGES)
}

/** OpenType, GSUB: types 1 and 3 replace one glyph, type 4 replaces several by one, type 7 extends another type. */
function changedBy(type: unknown, subTable: unknown, characterOf: Letters): string[] {
  if (type === 7) return changedBy(field(subTable, 'lookupType'), field(subTable, 'extension'), characterOf)
  if (type !== 1 && type !== 3 && type !== 4) return []
  const covered = coveredBy(field(subTable, 'coverage'))
  if (type !== 4) return valuesAt(characterOf, covered)
  // A set for each glyph that begins a ligature; `components` are the glyphs after it.
  const sets = field(subTable, 'ligatureSets')
  if (!isLazyArray(sets)) return []
  return covered.slice(0, MAX_SETS).flatMap((first, at) =>
    listIn(sets.get(at)).flatMap(ligature => {
      const glyphs = [first, ...listIn(field(ligature, 'components')).slice(0, MAX_LIGATURE)]
      if (glyphs.length > MAX_LIGATURE) return []
      const letters = valuesAt(characterOf, glyphs)
      return letters.length === glyphs.length ? [letters.join('')] : []
    }),
  )
}

const MAX_SETS = 200
/** Letters. Longer ligatures are not readable text, and a font may have one of many thousands. */
const MAX_LIGATURE = 16

/** The glyphs of a coverage table, in order. */
function coveredBy(coverage: unknown): number[] {
  const glyphs = listIn(field(coverage, 'glyphs')).filter(glyph => typeof glyph === 'number')
  const ranges = listIn(field(coverage, 'rangeRecords')).flatMap(range => {
    const [start, end] = [Number(field(range, 'start')), Number(field(range, 'end'))]
    return Array.from({ length: Math.min(end - start + 1, MAX_COVERED) }, (_, at) => start + at)
  })
  return [...glyphs, ...ranges].slice(0, MAX_COVERED)
}

const MAX_COVERED = 5000
