import type { Guide } from '../guide/guide.ts'
import { type FontFace, familiesOf, fontFaces, regularFaces } from './font-faces.ts'

/** The fonts of a guide that could be read, by family as `familiesOf` gives them; made once for a snapshot. */
export type GuideFonts = {
  faces: readonly FontFace[]
  families: ReadonlyMap<string, readonly FontFace[]>
  /** What sets a text in a family, see `regularFaces`; none where there is no such family. */
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

/** Faces with what is asked of their families. */
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

/** Fonts for the web come in up to some 120 parts; each style of a family names all of them. */
const MAX_REGULAR = 128
