import type { Font } from 'fontkitten'
import { field, withoutUndefined } from '../base/object.ts'
import { type FontMetadata, filename } from '../brand/file.ts'
import { weightOfName } from '../brand/styles/font-weight.ts'

/** An axis of a variable font. */
type Axis = { tag: string; min: number; default: number; max: number }

/** Makes a name of a font from values of its tables; undefined if none is a name. */
type Clean = (...texts: unknown[]) => string | undefined

/** A name of a font: in English, then in other languages. Empty if the table is missing or damaged. */
export function fontNames(font: Font, key: string): unknown[] {
  const names = field(field(field(font, 'name'), 'records'), key)
  const byLanguage = Object.entries(typeof names === 'object' && names !== null ? names : {})
  const english = byLanguage.filter(([language]) => /^en\b/.test(language)).sort(([a], [b]) => a.length - b.length)
  return [...english, ...byLanguage].map(([, name]) => name)
}

/** The metadata of a font. Typographic names (OpenType, name IDs 16 and 17) come before those of groups of four. */
export function metadataOf(font: Font, axes: readonly Axis[], clean: Clean): FontMetadata {
  const name = (key: string) => clean(...fontNames(font, key))
  const [postscript, cut] = name('postscriptName')?.split('-') ?? []
  const subFamily = name('preferredSubfamily') ?? name('fontSubfamily') ?? cut?.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
  const family = name('preferredFamily') ?? name('fontFamily') ?? name('fullName') ?? postscript
  return withoutUndefined({
    family: family && withoutInstance(family, font, axes),
    subFamily,
    weight: weightOf(font, subFamily, axes),
    style: styleOf(font, subFamily),
  })
}

/** A variable font is often named after its default instance: `Nunito ExtraLight`, `Recursive Sans Linear Light`. */
function withoutInstance(family: string, font: Font, axes: readonly Axis[]): string {
  const weights = axes.find(({ tag }) => tag === 'wght')
  if (!weights) return family
  const upright = family.replace(SLANT, '')
  const instances = Object.entries(field(font, 'namedVariations') ?? {}).flatMap(([name, place]) =>
    axes.every(axis => field(place, axis.tag) === axis.default) ? ` ${name.replace(SLANT, '')}` : [],
  )
  const instance = instances.find(each => upright.endsWith(each) && weightIn(each) !== undefined)
  if (instance !== undefined) return upright.slice(0, -instance.length)
  const [, own, word = ''] = /^(.+?)[ -]((?:(?:extra|ultra|semi|demi)[ -]?)?\p{L}+)$/iu.exec(upright) ?? []
  return own !== undefined && weightOfName(word) === weights.default ? own : family
}

const SLANT = /[ -](?:italic|oblique)$/i

/**
 * OS/2 usWeightClass. The name decides if that table is missing, or has 400 or a very different weight: fonts that were
 * converted often have 400.
 */
function weightOf(font: Font, subFamily: string | undefined, axes: readonly Axis[]): number | undefined {
  const value = field(field(font, 'OS/2'), 'usWeightClass')
  const known = typeof value === 'number' && value >= 1 && value <= 1000 ? value : undefined
  if (axes.some(({ tag }) => tag === 'wght')) return known
  const named = weightIn(subFamily)
  if (known === undefined) return (named === 400 ? undefined : named) ?? (macStyle(font, 'bold') ? 700 : named)
  const isWrong = named !== undefined && named !== 400 && (known === 400 || Math.abs(known - named) > MAX_DIFFERENCE)
  return isWrong ? named : known
}

/** Foundries use neighbouring weights, such as 250 for Thin. */
const MAX_DIFFERENCE = 200

/** The weight in a name such as `Condensed Semi Bold Italic`. */
function weightIn(subFamily = ''): number | undefined {
  const words = subFamily.split(/[\s_-]+/)
  const pairs = words.map((word, at) => word + (words[at + 1] ?? ''))
  return [...pairs, ...words].map(weightOfName).find(weight => weight !== undefined)
}

/** OS/2 fsSelection distinguishes oblique from italic since version 4; before, only the name does. */
function styleOf(font: Font, subFamily = ''): 'normal' | 'italic' | 'oblique' {
  const selection = field(field(font, 'OS/2'), 'fsSelection')
  const isOblique = field(selection, 'oblique') === true || /oblique|slanted/i.test(subFamily)
  if (isOblique) return 'oblique'
  const isNamed = field(selection, 'italic') === true || /\b(?:italic|kursiv|cursiva|italique)\b/i.test(subFamily)
  return isNamed || isDrawnSlanted(font, selection) ? 'italic' : 'normal'
}

/** Without fsSelection, head or post may mark a font as slanted; against it, only both together. */
function isDrawnSlanted(font: Font, selection: unknown): boolean {
  const angle = field(field(font, 'post'), 'italicAngle')
  const marks = [macStyle(font, 'italic'), typeof angle === 'number' && angle !== 0]
  return selection === undefined ? marks.includes(true) : !marks.includes(false)
}

function macStyle(font: Font, flag: 'bold' | 'italic'): boolean {
  return field(field(field(font, 'head'), 'macStyle'), flag) === true
}

/**
 * The names by which other programs know the fonts of a file, except those that follow from the family and sub-family:
 * Office uses name ID 1, drawing programs 4 and 6 (OpenType, name table).
 */
export function otherNames(
  fonts: readonly Font[],
  { family = '', subFamily = '' }: FontMetadata,
  clean: Clean,
): string[] {
  const letters = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
  const isUsual = (name: string) => name === family || letters(name) === letters(family + subFamily)
  const names = fonts.flatMap(font => NAME_KEYS.flatMap(key => fontNames(font, key).flatMap(name => clean(name) ?? [])))
  return [...new Set(names)].filter(name => !isUsual(name)).slice(0, MAX_NAMES)
}

const NAME_KEYS = ['fontFamily', 'fullName', 'postscriptName', 'preferredFamily', 'wwsFamilyName'] as const
const MAX_NAMES = 40

/** The widths of a variable font, otherwise the width in its name, as `font-stretch`; undefined for the regular one. */
export function stretchOf(subFamily = '', axes: readonly Axis[] = []): string | undefined {
  const axis = axes.find(({ tag }) => tag === 'wdth')
  if (axis && axis.max > axis.min) return `${round(axis.min)}% ${round(axis.max)}%`
  const word = WIDTH.exec(subFamily)?.groups
  return word && WIDTHS.get(`${word.much ?? ''}${word.kind}`.toLowerCase().replace(/[- ]/g, ''))
}

const WIDTH = /\b(?<much>ultra|extra|semi)?[- ]?(?<kind>condensed|expanded)\b/i

/** OpenType, OS/2 usWidthClass; CSS Fonts 4 §2.3. */
const WIDTHS: ReadonlyMap<string, string> = new Map([
  ['ultracondensed', '50%'],
  ['extracondensed', '62.5%'],
  ['condensed', '75%'],
  ['semicondensed', '87.5%'],
  ['semiexpanded', '112.5%'],
  ['expanded', '125%'],
  ['extraexpanded', '150%'],
  ['ultraexpanded', '200%'],
])

function round(value: number): number {
  return Math.round(value * 100) / 100
}

/** A font and the scripts of its letters. */
type Letters = { path: string; subFamily?: string | undefined; scripts?: readonly string[] | undefined }

/** Whether two fonts are for the same text, as far as known: both are whole or named as the same part, and share a script. */
export function isSameText(a: Letters, b: Letters): boolean {
  return partNamed(a) === partNamed(b) && (a.scripts ?? []).some(script => b.scripts?.includes(script))
}

/** Whether the name of a font says that it has only some of the characters, such as `Inter-Regular-Latin1`. */
export function isNamedPart(font: Omit<Letters, 'scripts'>): boolean {
  return partNamed(font) !== undefined
}

function partNamed({ path, subFamily = '' }: Omit<Letters, 'scripts'>): string | undefined {
  const found = PART.exec(filename(path).replace(/\.[^.]*$/, '')) ?? PART.exec(subFamily)
  return found?.[0].toLowerCase().replace(/[^a-z0-9]/g, '')
}

/** The name that the formats of a font share: `Acme-Bold.otf` and `acme_bold-webfont.woff2` are formats of one font. */
export function formatStem(path: string): string {
  const letters = filename(path)
    .replace(/\.[^.]*$/, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
  return letters.replace(/webfont$/, '')
}

const PART =
  /(?:^|[^a-z])(?:subset|latin|cyrillic|greek|vietnamese|hebrew|arabic|devanagari|bengali|tamil|thai|hangul|kana|han|symbols?|math|pi)(?:[-_ ]?(?:ext(?:ended)?|pro|plus|\d+))?(?![a-z])/i
