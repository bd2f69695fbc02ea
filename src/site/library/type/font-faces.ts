import { type BrandFile, type FontMetadata, filename, isFont } from '../../../brand/file.ts'

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

/**
 * The fonts of a family for text without a given weight, in the order in which a browser tries them: upright, nearest to
 * 400, and of regular width. There are several if a font comes in parts or formats.
 */
export function regularFaces(family: readonly FontFace[]): FontFace[] {
  const worse = (a: FontFace, b: FontFace) => slant(a) - slant(b) || distance(a) - distance(b) || oddity(a) - oddity(b)
  const [first] = family
  const best = first && family.reduce((best, face) => (worse(best, face) > 0 ? face : best), first)
  return family
    .filter(face => best && [slant, distance, oddity].every(trait => trait(face) === trait(best)))
    .sort((a, b) => BY_SIZE.indexOf(a.file.contentType) - BY_SIZE.indexOf(b.file.contentType))
}

/** The smallest first. */
const BY_SIZE: readonly string[] = ['font/woff2', 'font/woff', 'font/otf', 'font/ttf', 'font/collection']

function slant({ metadata }: FontFace): number {
  return (metadata.style ?? 'normal') === 'normal' ? 0 : 1
}

/** How far a weight is from 400: 500 is the next, then the lighter ones, then the heavier (CSS Fonts 4 §5.2). */
function distance({ weight }: FontFace): number {
  if (weight >= 400 && weight <= 500) return weight - 400
  return weight < 400 ? 1000 - weight : 1000 + weight
}

function oddity({ metadata }: FontFace): number {
  return /^(?:regular|normal|roman|book|text|italic|oblique)?$/i.test(metadata.subFamily ?? '') ? 0 : 1
}

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
