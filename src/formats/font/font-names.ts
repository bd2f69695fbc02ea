import type { Font } from 'fontkitten'
import { field, withoutUndefined } from '#platform/base/object.ts'
import { firstLine, groupsOf, lettersOf, spacedName, wordsIn } from '#platform/base/text.ts'
import { type FontAxis, fontNames } from './font-facts.ts'
import { nameOfWeight, WEIGHT_WORD, weightOfName, withoutSlope } from './font-weight.ts'

/** The metadata of a font (content type `font/*`). */
export type FontMetadata = {
  family?: string
  subFamily?: string
  /** OS/2 usWeightClass, 1 to 1000. */
  weight?: number
  style?: 'normal' | 'italic' | 'oblique'
}

/** The metadata of a font. Typographic names (OpenType, name IDs 16 and 17) come before those of groups of four. */
export function metadataOf(font: Font, axes: readonly FontAxis[]): FontMetadata {
  const namesOf = (...keys: readonly string[]) => keys.flatMap(key => firstLine(fontNames(font, key), MAX_NAME) ?? [])
  // Inter-SemiBoldItalic: the family, and the sub-family without spaces
  const postscriptParts = namesOf('postscriptName').flatMap(name => name.split('-'))
  const postscriptCuts = postscriptParts.slice(1).map(spacedName)
  const [subFamily] = [...namesOf('preferredSubfamily', 'fontSubfamily'), ...postscriptCuts]
  // Only for fonts without a family. The name of the whole font may be only its sub-family.
  const wholeNames = [...namesOf('fullName'), ...postscriptParts.slice(0, 1)]
  const usableNames = wholeNames.filter(name => isFamily(name.replace(subFamily ?? '', '')))
  const families = [...namesOf('preferredFamily', 'fontFamily'), ...usableNames]
  const family = families.map(name => withoutInstance(name, font, axes)).find(isFamily)
  return withoutUndefined({
    family,
    subFamily,
    weight: weightOf(font, [subFamily, ...postscriptCuts, lastWords(family)], axes),
    style: styleOf(font, subFamily),
  })
}

/** Whether a name has a letter or digit. */
function isFamily(name: string): boolean {
  return lettersOf(name) !== ''
}

/**
 * The family without the name of an instance. A variable font is often named after its default instance, such as
 * `Nunito ExtraLight` or `Recursive Sans Linear Light`, or after its default weight without such an instance.
 */
function withoutInstance(family: string, font: Font, axes: readonly FontAxis[]): string {
  const weights = axes.find(({ tag }) => tag === 'wght')
  if (!weights) return family
  const { upright } = withoutSlope(family)
  const defaultInstances = Object.entries(field(font, 'namedVariations') ?? {}).flatMap(([name, place]) =>
    axes.every(axis => field(place, axis.tag) === axis.default) ? ` ${withoutSlope(name).upright}` : [],
  )
  const instance = defaultInstances.find(name => upright.endsWith(name) && weightIn(name) !== undefined)
  if (instance !== undefined) return upright.slice(0, -instance.length)
  const [, shortFamily, lastWord = ''] = groupsOf(LAST_WORD, upright)
  return shortFamily !== undefined && weightOfName(lastWord) === weights.default ? shortFamily : family
}

/** The last word of a name, with the word for its degree: `Light`, `Extra Light`, `SemiBold`. */
const LAST_WORD = new RegExp(`^(.+?)[ -](${WEIGHT_WORD})$`, 'iu')

/** The last word of a family, which may be a weight: `Black` of `Acme Black`. */
function lastWords(family = ''): string | undefined {
  return groupsOf(LAST_WORD, family)[2]
}

/**
 * OS/2 usWeightClass. The name decides if that table is missing, has 400, as converted fonts often do, a weight without a
 * name, such as 250 for Thin in older fonts, or a very different one. `cuts` are its names, the sub-family first.
 */
function weightOf(font: Font, cuts: readonly (string | undefined)[], axes: readonly FontAxis[]): number | undefined {
  const value = field(field(font, 'OS/2'), 'usWeightClass')
  const written = typeof value === 'number' && value >= 1 && value <= 1000 ? value : undefined
  if (axes.some(({ tag }) => tag === 'wght')) return written
  const [named, ...others] = cuts.map(weightIn)
  const isNamed = named !== undefined && named !== REGULAR
  if (written === undefined) return !isNamed && macStyle(font, 'bold') ? 700 : named
  if (isNamed) return isDoubtful(written, named) ? named : written
  // `Regular` is also the sub-family of a family such as `Acme Black`, and `Book` may be 350 or 450.
  const isOdd = nameOfWeight(written) === undefined && isFar(written, REGULAR)
  const weights = [...others.filter(weight => weight !== REGULAR), named, written]
  return isOdd ? weights.find(weight => weight !== undefined) : written
}

const REGULAR = 400

function isDoubtful(weight: number, named: number): boolean {
  return weight === REGULAR || nameOfWeight(weight) === undefined || isFar(weight, named)
}

/** Whether two weights differ more than neighbouring ones, such as 800 for Black, which foundries use. */
function isFar(one: number, other: number): boolean {
  return Math.abs(one - other) > 200
}

/** The weight in a name such as `Condensed Semi Bold Italic` or `ThinItalic`. */
function weightIn(cut = ''): number | undefined {
  const words = spacedName(withoutSlope(cut).upright).split(/[\s_-]+/)
  const pairs = words.map((word, at) => word + (words[at + 1] ?? ''))
  return [...pairs, ...words].map(weightOfName).find(weight => weight !== undefined)
}

/** OS/2 fsSelection distinguishes oblique from italic since version 4; before, only the name does. */
function styleOf(font: Font, subFamily = ''): 'normal' | 'italic' | 'oblique' {
  const selection = field(field(font, 'OS/2'), 'fsSelection')
  const name = subFamily.toLowerCase()
  for (const [style, words] of SLANTS)
    if (field(selection, style) === true || words.some(word => name.includes(word))) return style
  return isDrawnSlanted(font, selection) ? 'italic' : 'normal'
}

/** Flags of fsSelection, and words in names that say the same; the first one counts. */
const SLANTS = [
  ['oblique', wordsIn('oblique, slanted')],
  ['italic', wordsIn('italic, kursiv, cursiva, italique')],
] as const

/** Without fsSelection, head or post may mark a font as slanted; against it, only both together. */
function isDrawnSlanted(font: Font, selection: unknown): boolean {
  const angle = field(field(font, 'post'), 'italicAngle')
  const marks = [macStyle(font, 'italic'), typeof angle === 'number' && angle !== 0]
  return selection === undefined ? marks.includes(true) : !marks.includes(false)
}

/** A flag in the head table, which programs use if OS/2 is missing. */
function macStyle(font: Font, flag: 'bold' | 'italic'): boolean {
  return field(field(field(font, 'head'), 'macStyle'), flag) === true
}

/**
 * The names by which other programs know the fonts of a file, except those that follow from the family and sub-family:
 * Office uses name ID 1, drawing programs 4 and 6 (OpenType, name table).
 */
export function otherNames(fonts: readonly Font[], { family = '', subFamily = '' }: FontMetadata): string[] {
  const isDerived = (name: string) => name === family || lettersOf(name) === lettersOf(family + subFamily)
  const values = fonts.flatMap(font => NAME_KEYS.flatMap(key => fontNames(font, key)))
  const names = values.flatMap(name => firstLine([name], MAX_NAME) ?? [])
  return [...new Set(names)].filter(name => !isDerived(name)).slice(0, MAX_NAMES)
}

const NAME_KEYS = ['fontFamily', 'fullName', 'postscriptName', 'preferredFamily', 'wwsFamilyName'] as const
const MAX_NAMES = 40
/** In characters, as for written values. */
const MAX_NAME = 200
