import { type BrandFile, fileStem, isFont } from '#brand/file.ts'
import type { Slope } from '#brand/fonts/font-cuts.ts'
import type { CharacterRange } from '#formats/font/characters.ts'
import type { FontFacts } from '#formats/font/font-facts.ts'
import type { FontMetadata } from '#formats/font/font-names.ts'
import { cssString, tagSettings } from '../style-sheets/css-text.ts'

export type FontFace = {
  /** Position among the fonts of the project, from 1. */
  number: number
  file: BrandFile
  /** The file name without its extension if the font names no family. */
  family: string
  /** 400 if the font has no weight. */
  weight: number
  metadata: FontMetadata
}

/** The readable fonts among the files of a project, in order. */
export function fontFaces(files: Iterable<BrandFile>): FontFace[] {
  return [...files].filter(isFont).flatMap((file, at) => {
    const { metadata } = file
    if (!metadata) return []
    const { family = fileStem(file.path), weight = 400 } = metadata
    return [{ number: at + 1, file, family, weight, metadata }]
  })
}

/** The name of a font in the guide's style sheet, which no other page uses. */
export function faceName({ number, family, metadata }: FontFace): string {
  return `Guide ${number}: ${family}${metadata.subFamily === undefined ? '' : ` ${metadata.subFamily}`}`
}

/** Fonts keyed by family, the lightest first, upright before slanted. */
export function familiesOf(faces: readonly FontFace[]): ReadonlyMap<string, readonly FontFace[]> {
  const families = Map.groupBy(faces, face => face.family)
  for (const fonts of families.values()) fonts.sort((a, b) => a.weight - b.weight || slant(a) - slant(b))
  return families
}

function slant({ metadata }: FontFace): number {
  return (metadata.style ?? 'normal') === 'normal' ? 0 : 1
}

/** The weights of a font: the ends of its weight axis, or the same weight twice. */
export type WeightRange = readonly [min: number, max: number]

/** The range of a font with one weight. */
export function ownWeight({ weight }: Pick<FontFace, 'weight'>): WeightRange {
  return [weight, weight]
}

/** The weights that a font can be set to (CSS Fonts 4 §4.4): its `wght` axis, or its own weight twice. */
export function weightsOf(face: Pick<FontFace, 'weight'>, facts: FontFacts | undefined): WeightRange {
  const axis = facts?.axes.find(({ tag }) => tag === 'wght')
  if (!axis || axis.max <= axis.min) return ownWeight(face)
  return [Math.max(1, Math.round(axis.min)), Math.min(1000, Math.round(axis.max))]
}

/** The weights that a variable font can be set to; undefined for other fonts. */
export function variableWeights(facts: FontFacts | undefined): WeightRange | undefined {
  const [min, max] = weightsOf({ weight: 400 }, facts)
  return min < max ? [min, max] : undefined
}

/** Content types of fonts, the smallest format first. */
export const FORMATS_BY_SIZE: readonly string[] = ['font/woff2', 'font/woff', 'font/otf', 'font/ttf', 'font/collection']

/** The CSS name of a font format (CSS Fonts 4 §4.3.1); undefined if CSS has none. */
export function fontFormat(contentType: string): string | undefined {
  return FORMATS.get(contentType)
}

const FORMATS: ReadonlyMap<string, string> = new Map([
  ['font/collection', 'collection'],
  ['font/otf', 'opentype'],
  ['font/ttf', 'truetype'],
  ['font/woff', 'woff'],
  ['font/woff2', 'woff2'],
])

type Face = {
  family: string
  weights: WeightRange
  /** The value of `font-stretch`, if it is not the regular width. */
  stretch?: string | undefined
  style: string | undefined
  axes?: Slope['axes']
  /** How text appears before the font has loaded. */
  display: 'swap' | 'block'
  /** The font in its formats, the preferred one first. */
  sources: readonly { address: string; contentType: string }[]
  range?: string | undefined
}

/** The descriptors of an `@font-face` rule, each with its value. */
export function faceDescriptors(face: Face): (readonly [name: string, value: string])[] {
  const descriptors = [
    ['font-family', cssString(face.family)],
    ['font-weight', [...new Set(face.weights)].join(' ')],
    ['font-stretch', face.stretch],
    ['font-style', face.style ?? 'normal'],
    ['font-variation-settings', tagSettings(face.axes)],
    ['font-display', face.display],
    ['src', face.sources.map(sourceOf).join(', ')],
    ['unicode-range', face.range],
  ] as const
  return descriptors.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
}

function sourceOf({ address, contentType }: Face['sources'][number]): string {
  const format = fontFormat(contentType)
  return `url(${cssString(address)})${format === undefined ? '' : ` format("${format}")`}`
}

/** The characters of a font as a `unicode-range`; undefined if unknown or in too many ranges. */
export function unicodeRange(facts: FontFacts | undefined): string | undefined {
  const { ranges = [] } = facts?.characters ?? {}
  return ranges.length === 0 || ranges.length > MAX_RANGES ? undefined : rangeText(ranges)
}

/** Ranges as CSS writes them: `U+20-7e,U+a9`. */
export function rangeText(ranges: readonly CharacterRange[]): string {
  const hex = (code: number) => code.toString(16)
  return ranges.map(([first, last]) => `U+${hex(first)}${last > first ? `-${hex(last)}` : ''}`).join(',')
}

/** The most ranges of a rule; a font with more has none in it. */
const MAX_RANGES = 200
