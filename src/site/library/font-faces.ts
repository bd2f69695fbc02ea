import { type BrandFile, type FontMetadata, filename, isFont } from '../../brand/file.ts'

/** A font of a project that could be read, as its pages show it. */
export type FontFace = {
  /** Counts the fonts of a project, from 1. */
  number: number
  file: BrandFile
  /** Of a font that names no family, the name of its file. */
  family: string
  /** 400 where the font says none. */
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

/** What a font is called in the guide's own style sheet: like no font that other pages of ours ask for. */
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
 * The fonts of a family that set a text of no certain weight, to be tried in this order: upright ones nearest to 400, of
 * several widths the regular one. There are more than one where a font comes in parts or formats.
 */
export function regularFaces(family: readonly FontFace[]): FontFace[] {
  const worse = (a: FontFace, b: FontFace) => slant(a) - slant(b) || distance(a) - distance(b) || oddity(a) - oddity(b)
  const [first] = family
  const best = first && family.reduce((best, face) => (worse(best, face) > 0 ? face : best), first)
  return family
    .filter(face => best && [slant, distance, oddity].every(trait => trait(face) === trait(best)))
    .sort((a, b) => FORMATS.indexOf(a.file.contentType) - FORMATS.indexOf(b.file.contentType))
}

/** From the smallest to load to the largest. */
const FORMATS: readonly string[] = ['font/woff2', 'font/woff', 'font/otf', 'font/ttf', 'font/collection']

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
