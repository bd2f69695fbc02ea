import type { Guide } from '../../guide/guide.ts'
import { type FontFace, familiesOf, fontFaces, regularFaces } from './font-faces.ts'

/** The fonts of a guide that could be read, by family as `familiesOf` gives them; made once for a snapshot. */
export type GuideFonts = {
  faces: readonly FontFace[]
  families: ReadonlyMap<string, readonly FontFace[]>
  /** The `regularFaces` of a family; empty if there is no such family. */
  regular: (family: string) => readonly FontFace[]
}

/** The fonts among the files of a guide. */
export async function guideFonts({ publication }: Guide): Promise<GuideFonts> {
  const files = await publication.content.files()
  const known = fonts.get(files)
  if (known) return known
  const found = fontsAmong(fontFaces(files.values()))
  fonts.set(files, found)
  return found
}

const fonts = new WeakMap<object, GuideFonts>()

/** The font that the first letters of a guide are shown in: that of its first type style, else its first one. */
export async function letterFace(guide: Guide): Promise<FontFace | undefined> {
  const [types, { families, regular }] = await Promise.all([guide.publication.content.types(), guideFonts(guide)])
  const style = types.find(({ family }) => family !== undefined && families.has(family))
  const [first] = families.keys()
  const family = style?.family ?? first
  return family === undefined ? undefined : regular(family)[0]
}

/** Faces by family. */
export function fontsAmong(faces: readonly FontFace[]): GuideFonts {
  const families = familiesOf(faces)
  const regulars = new Map<string, readonly FontFace[]>()
  const regular = (family: string): readonly FontFace[] => {
    const known = regulars.get(family)
    if (known) return known
    const found = regularFaces(families.get(family) ?? []).slice(0, MAX_REGULAR)
    regulars.set(family, found)
    return found
  }
  return { faces, families, regular }
}

/** Fonts for the web come in up to 120 parts, and each style of a family names all of them. */
const MAX_REGULAR = 128
