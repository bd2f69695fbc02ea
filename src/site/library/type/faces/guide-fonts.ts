import { perObject } from '../../../../base/object.ts'
import type { BrandFile } from '../../../../brand/file.ts'
import { type FontFace, familiesOf, fontFaces } from '../../../../export/fonts/font-faces.ts'
import type { Guide } from '../../../guide/guide.ts'
import { type FontRequest, fontRequestOf, matchingFaces } from './font-matching.ts'

/** The readable fonts of a guide, by family as in `familiesOf`; made once per snapshot. */
export type GuideFonts = {
  faces: readonly FontFace[]
  families: ReadonlyMap<string, readonly FontFace[]>
  /** The `matchingFaces` of a family, by the weights in their names; empty if there is no such family. */
  matching: (family: string, wanted: FontRequest) => readonly FontFace[]
}

/** The fonts in the files of a guide. */
export async function guideFonts({ publication }: Pick<Guide, 'publication'>): Promise<GuideFonts> {
  return fontsIn(await publication.content.files())
}

const fontsIn = perObject((files: ReadonlyMap<string, BrandFile>) => groupFonts(fontFaces(files.values())))

/**
 * The font for sample letters of a guide: the font of its first type style, otherwise its first font. Its weight is that
 * of the style, which the rule of a variable font selects.
 */
export async function sampleFace(guide: Guide): Promise<FontFace | undefined> {
  const [types, { families, matching }] = await Promise.all([guide.publication.content.types(), guideFonts(guide)])
  const style = types.find(({ family }) => family !== undefined && families.has(family))
  const [first] = families.keys()
  const family = style?.family ?? first
  const wanted = fontRequestOf(style ?? {})
  const face = family === undefined ? undefined : matching(family, wanted)[0]
  return face && { ...face, weight: wanted.weight }
}

/** Groups faces by family. */
export function groupFonts(faces: readonly FontFace[]): GuideFonts {
  const families = familiesOf(faces)
  const matched = new Map<string, readonly FontFace[]>()
  const matching = (family: string, wanted: FontRequest): readonly FontFace[] => {
    const key = `${wanted.weight} ${wanted.style} ${family}`
    const known = matched.get(key)
    if (known) return known
    const faces = matchingFaces(families.get(family) ?? [], wanted).slice(0, MAX_MATCHING)
    if (matched.size < MAX_FOUND) matched.set(key, faces)
    return faces
  }
  return { faces, families, matching }
}

/** Web fonts come in up to 120 parts, and each style of a family names all of them. */
const MAX_MATCHING = 128
/** The number of cached results. */
const MAX_FOUND = 1000
