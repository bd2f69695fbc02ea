import type { BrandFile } from '#brand/file.ts'
import type { TypeStyle } from '#brand/type-style.ts'
import {
  FORMATS_BY_SIZE,
  type FontFace,
  familiesOf,
  fontFaces,
  ownWeight,
  type WeightRange,
} from '#delivery/export/fonts/font-faces.ts'
import type { FontFacts } from '#formats/font/font-facts.ts'
import { perObject } from '#platform/base/object.ts'
import { withTimeout } from '#platform/base/promise.ts'
import type { Guide } from '../../../guide/guide.ts'

/** The readable fonts of a guide, by family as in `familiesOf`; made once per snapshot. */
export type GuideFonts = {
  faces: readonly FontFace[]
  families: ReadonlyMap<string, readonly FontFace[]>
  /** The `matchingFaces` of a family, by the weights in their names; empty if there is no such family. */
  matching: (family: string, wanted: FontRequest) => readonly FontFace[]
}

export async function guideFonts({ publication }: Pick<Guide, 'publication'>): Promise<GuideFonts> {
  return fontsIn(await publication.content.files())
}

const fontsIn = perObject((files: ReadonlyMap<string, BrandFile>) => groupFonts(fontFaces(files.values())))

/** The font for sample letters of a guide: that of its first type style, in its weight, otherwise the first font. */
export async function sampleFace(guide: Pick<Guide, 'publication'>): Promise<FontFace | undefined> {
  const types = await guide.publication.content.types()
  const { families, matching } = await guideFonts(guide)
  const style = types.find(({ family }) => family !== undefined && families.has(family))
  const [first] = families.keys()
  const family = style?.family ?? first
  const wanted = fontRequestOf(style ?? {})
  const face = family === undefined ? undefined : matching(family, wanted)[0]
  return face && { ...face, weight: wanted.weight }
}

export function groupFonts(faces: readonly FontFace[]): GuideFonts {
  const families = familiesOf(faces)
  const matched = new Map<string, readonly FontFace[]>()
  const matching = (family: string, wanted: FontRequest): readonly FontFace[] => {
    const key = `${wanted.weight} ${wanted.style} ${family}`
    const known = matched.get(key)
    if (known) return known
    const faces = matchingFaces(families.get(family) ?? [], wanted).slice(0, MAX_MATCHING)
    matched.set(key, faces)
    return faces
  }
  return { faces, families, matching }
}

/** Web fonts come in up to 120 parts, and each style of a family names all of them. */
const MAX_MATCHING = 128

/** The weight and style that text requests from a font. */
export type FontRequest = { weight: number; style: 'normal' | 'italic' }

/** The font request of a type style, with the CSS defaults for missing values. */
export function fontRequestOf({ weight = 400, style = 'normal' }: Pick<TypeStyle, 'weight' | 'style'>): FontRequest {
  return { weight, style }
}

/**
 * The fonts of a family that a browser selects (CSS Fonts 4 §5.2): the requested style, the nearest weight and regular
 * width. There are several if a font comes in parts or formats: the smallest format is first.
 */
export function matchingFaces(
  family: readonly FontFace[],
  { weight, style }: FontRequest,
  rangeOf: (face: FontFace) => WeightRange = ownWeight,
): FontFace[] {
  const traits = [
    (face: FontFace) => STYLES[style].indexOf(face.metadata.style ?? 'normal'),
    (face: FontFace) => weightDistance(rangeOf(face), weight),
    nameRank,
  ]
  // Each trait leaves only the fonts that are nearest in it, so the first trait counts most.
  let remaining = family
  for (const trait of traits) {
    const distances = remaining.map(trait)
    const nearest = distances.reduce((minimum, distance) => Math.min(minimum, distance), Number.POSITIVE_INFINITY)
    remaining = remaining.filter((_, at) => distances[at] === nearest)
  }
  return remaining.toSorted(
    (a, b) => FORMATS_BY_SIZE.indexOf(a.file.contentType) - FORMATS_BY_SIZE.indexOf(b.file.contentType),
  )
}

/** Ordered from the nearest style. */
const STYLES = { italic: ['italic', 'oblique', 'normal'], normal: ['normal', 'oblique', 'italic'] }

/**
 * The distance of a font's weights from the requested one. From 400 to 500, the order is weights up to 500, then
 * lighter, then heavier ones. Below 400, lighter weights come first, above 500 heavier ones.
 */
function weightDistance([min, max]: WeightRange, wanted: number): number {
  if (min <= wanted && wanted <= max) return 0
  const isLighter = max < wanted
  const distance = isLighter ? wanted - max : min - wanted
  if (wanted < 400) return isLighter ? distance : 1000 + distance
  if (wanted > 500) return isLighter ? 1000 + distance : distance
  if (isLighter) return 1000 + distance
  return min <= 500 ? distance : 2000 + distance
}

/** 0 for regular fonts, 1 for names with unusual words (`Display`), 2 for another width (`Condensed`, `Wide Italic`). */
function nameRank({ metadata: { subFamily = '' } }: FontFace): number {
  if (/cond(?:ensed)?\b|compressed|narrow|\bext(?:ended)?\b|expanded|\bwide\b/i.test(subFamily)) return 2
  return /^(?:regular|normal|roman|book|text|italic|oblique)?$/i.test(subFamily) ? 0 : 1
}

/** The font facts available now. Content made from them is cached for `keptMs` if facts are missing. */
type KnownFacts<Face> = { facts: ReadonlyMap<Face, FontFacts>; keptMs: number | undefined }

/** Reads the facts of fonts that are available after `maxWaitMs`; a copy waits, since its readers cannot reload it. */
export async function knownFacts<Face extends { file: BrandFile }>(
  { site: { fontFacts, copy }, publication }: Guide,
  faces: Iterable<Face>,
  maxWaitMs = MAX_WAIT_MS,
): Promise<KnownFacts<Face>> {
  const facts = new Map<Face, FontFacts>()
  /** The number of fonts whose facts are not read yet, or could not be read. */
  let unread = 0
  const read = async (face: Face) => {
    unread++
    const ofFace = await fontFacts(publication.record.workspace, face.file)
    unread--
    if (ofFace) facts.set(face, ofFace)
  }
  const wantedFaces = Iterator.from(new Set(faces)).take(MAX_FONTS)
  await withTimeout(copy ? MAX_COPY_WAIT_MS : maxWaitMs, Promise.allSettled(wantedFaces.map(read)), () => undefined)
  // A copy, because reads that continue after the wait still add facts.
  return { facts: new Map(facts), keptMs: unread > 0 ? KEPT_MS : undefined }
}

/** The number of fonts whose facts are read at once. */
const MAX_FONTS = 128
/** Every page needs its theme, but without facts, variable fonts have the wrong weights, and no font has subsets. */
const MAX_WAIT_MS = 10_000
const MAX_COPY_WAIT_MS = 10 * 60_000
/** Only requests at the same time share incomplete content. */
const KEPT_MS = 1
