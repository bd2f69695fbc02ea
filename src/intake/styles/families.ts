import { type BrandFile, filename, fileStem, fontMetadata, isFont } from '#brand/file.ts'
import { cutKey, formatStem, isSameText } from '#brand/fonts/font-cuts.ts'
import { slug } from '#brand/ids.ts'
import type { TypeStyle } from '#brand/type-style.ts'
import type { FontMetadata } from '#formats/font/font-names.ts'
import { inFormats, quote, quoteWhole } from '#platform/base/text.ts'
import { problem } from '../folder/findings.ts'
import type { FontVariation, MediaDetails } from '../media/media-task.ts'
import type { ProjectReading } from '../reading.ts'
import type { WrittenStyles } from './styles.ts'

/** The weight range, styles and axes that a font of a family supports; without axes if they are unknown. */
type Face = {
  weights: readonly [from: number, to: number]
  isUpright: boolean
  isSlanted: boolean
  axes: FontVariation['axes']
}

type Families = ReadonlyMap<string, readonly Face[]>

/** A file as read, with the facts of a font. */
type ReadFont = { path: string } & Pick<MediaDetails, 'variation' | 'scripts' | 'others'>

/**
 * Reports each family without a font at its first use, and each weight, style and axis value that no font of its family
 * has.
 *
 * @param read the same files as read, with the ranges of variable fonts
 */
export function checkFamilies(
  { report }: ProjectReading,
  { types }: WrittenStyles,
  files: readonly BrandFile[],
  read: readonly ReadFont[],
): void {
  const readAt = new Map(read.map(file => [file.path, file]))
  const families = facesByFamily(files, readAt)
  reportAmbiguous(report, files, readAt)
  const missingFamilies = new Set<string>()
  for (const { style, line, faceLine, axesLine } of types) {
    const { family, fallback = [] } = style
    // A family that is also a fallback is a font of the system.
    if (family === undefined || missingFamilies.has(family) || fallback.includes(family)) continue
    const faces = families.get(family)
    if (faces) {
      const faceMessages = missingFaces(style, family, faces, () => otherFamily(style, families, files))
      report(TYPES_YAML, ...faceMessages.map(message => problem('font-weight-missing', message, faceLine)))
      const axisMessages = axisProblems(style, family, faces)
      report(TYPES_YAML, ...axisMessages.map(message => problem('font-axis-missing', message, axesLine)))
      continue
    }
    missingFamilies.add(family)
    const message = nameElsewhere(family, files, families) ?? missingFamily(family, families)
    const finding = problem('font-family-missing', message, line)
    const unread = unreadFont(family, files)
    report(TYPES_YAML, { ...finding, ...(unread && { missing: { path: unread.path } }) })
  }
}

const TYPES_YAML = 'styles/types.yaml'

/** A file that seems to be a font of a family, but could not be read as one. */
function unreadFont(family: string, files: readonly BrandFile[]): BrandFile | undefined {
  const isNamed = ({ path }: BrandFile) => FONT_NAME.test(path) && slug(filename(path)).includes(slug(family))
  return files.find(file => isNamed(file) && fontMetadata(file).family === undefined)
}

const FONT_NAME = inFormats('otf, ttf, ttc, woff, woff2')

/** The advice for a family that is another name of a font, such as `Acme Sans Bold`; undefined for any other name. */
function nameElsewhere(name: string, files: readonly BrandFile[], families: Families): string | undefined {
  const file = files.filter(isFont).find(({ names = [] }) => names.includes(name))
  if (!file) return undefined
  // A collection has the names of all its fonts, so its family is the longest one that the name begins with.
  const withoutHyphens = (text: string) => slug(text).replaceAll('-', '')
  const beginnings = families.keys().filter(family => withoutHyphens(name).startsWith(withoutHyphens(family)))
  const [longest] = [...beginnings].toSorted((a, b) => b.length - a.length)
  const { family, weight } = isCollection(file) ? { family: longest } : fontMetadata(file)
  if (family === undefined) return undefined
  return `${quote(name)} is another name of ${file.path}: write family: ${family}${weight === undefined ? '' : `, with weight: ${weight}`}`
}

function missingFamily(family: string, families: Families): string {
  const names = Array.from(families.keys(), quote).toSorted().slice(0, MAX_LISTED).join(', ')
  const others = names && `: ${names}; "family" in files/files.yaml sets the name of a font`
  return `no font under files/ has the family ${quote(family)}: add the font, or repeat a system font in "fallback", or name a family that exists${others}`
}

const MAX_LISTED = 5

/** The faces of each family, also of fonts in collections. A font without a family is named after its file. */
function facesByFamily(files: readonly BrandFile[], read: ReadonlyMap<string, ReadFont>): Families {
  const fonts = files.filter(isFont).flatMap(({ path, metadata }) => {
    const { others = [], variation = STATIC } = read.get(path) ?? {}
    const own = metadata ? [{ family: fileStem(path), ...metadata, variation }] : []
    return [...own, ...others.map(other => ({ ...other, variation: UNKNOWN }))]
  })
  const faces = fonts.flatMap(({ family, ...font }) => (family === undefined ? [] : [{ family, face: faceOf(font) }]))
  const byFamily = Map.groupBy(faces, ({ family }) => family)
  return new Map(Array.from(byFamily, ([family, all]) => [family, all.map(({ face }) => face)]))
}

function faceOf({ weight, style, variation }: Omit<FontMetadata, 'family'> & { variation: FontVariation }): Face {
  const { weights = [], isSlanting = false, axes } = variation
  const knownWeights = [...weights, weight].filter(each => each !== undefined)
  const isSlanted = SLANTED.has(style)
  return {
    weights: knownWeights.length === 0 ? ANY_WEIGHT : [Math.min(...knownWeights), Math.max(...knownWeights)],
    isUpright: !isSlanted || isSlanting,
    isSlanted: isSlanted || isSlanting,
    axes,
  }
}

const SLANTED: ReadonlySet<string | undefined> = new Set(['italic', 'oblique'])
/** Another font of a collection, which may be variable. */
const UNKNOWN: FontVariation = {}
/** A font that is not variable. */
const STATIC: FontVariation = { axes: [] }
/** A font without a known weight may have any weight. */
const ANY_WEIGHT = [1, 1000] as const

/** Reports each font without a family of its own, or that style sheets cannot tell apart from one before it. */
function reportAmbiguous(
  report: ProjectReading['report'],
  files: readonly BrandFile[],
  read: ReadonlyMap<string, ReadFont>,
): void {
  const fonts = files.filter(isFont).flatMap(({ path, hash, contentType, metadata, isInherited }) => {
    if (!metadata) return []
    const { family, subFamily, weight = 400 } = metadata
    const noName = `the font does not name its family, so it is shown as ${quote(fileStem(path))}: write the name in files/files.yaml, as in ${quoteWhole(path.slice(path.indexOf('/') + 1))}: { family: Acme Sans }`
    if (family === undefined && !isInherited) report(path, problem('font-name-missing', noName))
    if (family === undefined || isCollection({ contentType })) return []
    const { scripts, variation: { weights = weight, axes } = {} } = read.get(path) ?? {}
    return [{ path, hash, contentType, isInherited, subFamily, scripts, cut: cutKey(family, metadata, weights, axes) }]
  })
  for (const cut of Map.groupBy(fonts, ({ cut }) => cut).values())
    for (const [at, font] of cut.entries()) {
      const other = cut.slice(0, at).find(other => !isSameFont(other, font) && isSameText(other, font))
      if (!other || font.isInherited) continue
      const message = `style sheets cannot tell it apart from ${other.path}, which has the same family, weight, width and style: write another family or weight for one of them in files/files.yaml, or remove it`
      report(font.path, problem('font-ambiguous', message))
    }
}

function isCollection({ contentType }: Pick<BrandFile, 'contentType'>): boolean {
  return contentType.includes('collection')
}

type FontFile = Pick<BrandFile, 'path' | 'hash' | 'contentType'>

/** Whether two fonts have the same content, or are formats of one font. */
function isSameFont(a: FontFile, b: FontFile): boolean {
  return a.hash === b.hash || (formatStem(a.path) === formatStem(b.path) && a.contentType !== b.contentType)
}

/**
 * Suggests a font with the right weight and style whose family begins with that of the type style: `Acme Sans Light` for
 * `Acme Sans`. Undefined if there is none.
 */
function otherFamily(
  { family = '', weight, style }: TypeStyle,
  families: Families,
  files: readonly BrandFile[],
): string | undefined {
  const file = files.find(file => {
    const { family: other = '', weight: ownWeight } = fontMetadata(file)
    const isLonger = other.startsWith(`${family} `) && (weight === undefined || ownWeight === weight)
    return isLonger && families.get(other)?.some(formOf(style).isIn)
  })
  if (!file) return undefined
  return `${file.path} has it in the family ${quote(fontMetadata(file).family ?? '')}: set "family" of that file to ${quote(family)} in files/files.yaml, or use that family`
}

/** The form of letters that a style asks for, and the other one. */
function formOf(style: TypeStyle['style']) {
  return style === 'italic' ? ITALIC : UPRIGHT
}

const ITALIC = { name: 'italic', other: 'normal', isIn: ({ isSlanted }: Face) => isSlanted }
const UPRIGHT = { name: 'upright', other: 'italic', isIn: ({ isUpright }: Face) => isUpright }

/** The message about a weight or style that no font of the family has; none if one has it or none is required. */
function missingFaces(
  { weight, style }: TypeStyle,
  family: string,
  faces: readonly Face[],
  elsewhere: () => string | undefined,
): string[] {
  if (weight === undefined && style === undefined) return []
  const { name, other, isIn } = formOf(style)
  const inStyle = faces.filter(isIn)
  if (inStyle.length === 0)
    return [`no font of ${quote(family)} is ${name}: ${elsewhere() ?? `add one, or write style: ${other}`}`]
  if (weight === undefined || inStyle.some(({ weights }) => isWithin(weights, weight))) return []
  const ranges = inStyle.map(({ weights: [from, to] }) => (from === to ? `${from}` : `${from} to ${to}`))
  const sortedRanges = [...new Set(ranges)].toSorted((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
  const listed = sortedRanges.slice(0, MAX_RANGES).join(', ')
  return [
    `no ${name} font of ${quote(family)} has the weight ${weight}: ${elsewhere() ?? `add the font, or use an available weight: ${listed}`}`,
  ]
}

function isWithin([from, to]: readonly [from: number, to: number], value: number): boolean {
  return from <= value && value <= to
}

/** The most weights, axes or axis values in a message. */
const MAX_RANGES = 20

/**
 * A message for each axis value of a type style that no font of the family has in this style. None if the axes of one of
 * the fonts are unknown.
 */
function axisProblems({ axes = {}, style }: TypeStyle, family: string, faces: readonly Face[]): string[] {
  const axesOfFaces = faces.filter(formOf(style).isIn).map(face => face.axes)
  if (axesOfFaces.includes(undefined)) return []
  const allAxes = axesOfFaces.flatMap(list => list ?? [])
  return Object.entries(axes).flatMap(([tag, value]) => {
    const ranges = allAxes.filter(axis => axis.tag === tag.trim())
    if (ranges.some(({ min, max }) => isWithin([min, max], value))) return []
    if (ranges.length > 0) {
      const listed = [...new Set(ranges.map(({ min, max }) => `${min} to ${max}`))].slice(0, MAX_RANGES)
      return [
        `the axis ${quote(tag)} of ${quote(family)} has no value ${value}: write one from ${listed.join(', or from ')}`,
      ]
    }
    const tags = [...new Set(allAxes.map(axis => axis.tag))].toSorted().slice(0, MAX_RANGES)
    const fix = tags.length === 0 ? 'remove it' : `use an available axis: ${tags.join(', ')}`
    return [`no font of ${quote(family)} has the axis ${quote(tag)}: add a variable font that has it, or ${fix}`]
  })
}
