import { type BrandFile, type FontMetadata, filename, isFont } from '../../brand/file.ts'
import type { FontFacts } from '../../fonts/font-facts.ts'

/** A font of a project that could be read. */
export type FontFace = {
  /** Counts the fonts of a project, from 1. */
  number: number
  file: BrandFile
  /** The name of the file if the font names no family. */
  family: string
  /** 400 if the font has none. */
  weight: number
  metadata: FontMetadata
}

/** The fonts among the files of a project that could be read, in their order. */
export function fontFaces(files: Iterable<BrandFile>): FontFace[] {
  return [...files].filter(isFont).flatMap(({ metadata, ...file }, at) => {
    if (!metadata) return []
    const { family = filename(file.path), weight = 400 } = metadata
    return [{ number: at + 1, file, family, weight, metadata }]
  })
}

/** The name of a font in the guide's style sheet: unlike any font that other pages ask for. */
export function faceName({ number, family, metadata }: FontFace): string {
  return `Guide ${number}: ${family}${metadata.subFamily === undefined ? '' : ` ${metadata.subFamily}`}`
}

/** Fonts by their family, the lightest first, and upright before slanted. */
export function familiesOf(faces: readonly FontFace[]): ReadonlyMap<string, readonly FontFace[]> {
  const families = Map.groupBy(faces, face => face.family)
  for (const fonts of families.values()) fonts.sort((a, b) => a.weight - b.weight || slant(a) - slant(b))
  return families
}

function slant({ metadata }: FontFace): number {
  return (metadata.style ?? 'normal') === 'normal' ? 0 : 1
}

/** The weights that a font can have: from the first to the last of its axis, or the same twice. */
export type WeightRange = readonly [min: number, max: number]

/** The weight that a font has by itself. */
export function ownWeight({ weight }: Pick<FontFace, 'weight'>): WeightRange {
  return [weight, weight]
}

/** The weights that a font can be set to (CSS Fonts 4 §4.4): those of its axis `wght`, else its own. */
export function weightsOf(face: Pick<FontFace, 'weight'>, facts: FontFacts | undefined): WeightRange {
  const axis = facts?.axes.find(({ tag }) => tag === 'wght')
  if (!axis || axis.max <= axis.min) return ownWeight(face)
  return [Math.max(1, Math.round(axis.min)), Math.min(1000, Math.round(axis.max))]
}

/** The formats of fonts by their content types, the smallest first. */
export const FORMATS_BY_SIZE: readonly string[] = ['font/woff2', 'font/woff', 'font/otf', 'font/ttf', 'font/collection']

/** What a style sheet calls the format of a font (CSS Fonts 4 §4.3.1); undefined if it has no word for it. */
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
