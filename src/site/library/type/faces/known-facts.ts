import { withTimeout } from '../../../../base/promise.ts'
import type { FontFace } from '../../../../export/fonts/font-faces.ts'
import type { FontFacts } from '../../../../fonts/font-facts.ts'
import type { Guide } from '../../../guide/guide.ts'

/** The facts of fonts that are known by now. What is made of them is kept for `keptMs` if more may be known later. */
export type KnownFacts = { facts: ReadonlyMap<FontFace, FontFacts>; keptMs: number | undefined }

/**
 * The facts of fonts, of the first ones if they are very many. A page waits for them for two seconds, then it is made
 * of those that are there.
 */
export async function knownFacts(
  { publication, fontFacts }: Pick<Guide, 'publication' | 'fontFacts'>,
  faces: Iterable<FontFace>,
): Promise<KnownFacts> {
  const facts = new Map<FontFace, FontFacts>()
  let missing = 0
  const read = async (face: FontFace) => {
    missing++
    const found = await fontFacts(publication.record.workspace, face.file)
    missing--
    if (found) facts.set(face, found)
  }
  const wanted = Iterator.from(new Set(faces)).take(MAX_FONTS)
  await withTimeout(MAX_WAIT_MS, Promise.allSettled(wanted.map(read)), () => undefined)
  return { facts: new Map(facts), keptMs: missing > 0 ? KEPT_MS : undefined }
}

const MAX_FONTS = 128
const MAX_WAIT_MS = 2000
const KEPT_MS = 10_000
