import { withTimeout } from '../../../../base/promise.ts'
import type { FontFace } from '../../../../export/fonts/font-faces.ts'
import type { FontFacts } from '../../../../fonts/font-facts.ts'
import type { Guide } from '../../../guide/guide.ts'

/** The font facts available now. Content made from them is cached for `keptMs` if more facts may come later. */
export type KnownFacts = { facts: ReadonlyMap<FontFace, FontFacts>; keptMs: number | undefined }

/** Reads the facts of fonts, up to a limit. A page waits `waitMs` for them, then it uses the available ones. */
export async function knownFacts(
  { publication, fontFacts }: Pick<Guide, 'publication' | 'fontFacts'>,
  faces: Iterable<FontFace>,
  waitMs = MAX_WAIT_MS,
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
  await withTimeout(waitMs, Promise.allSettled(wanted.map(read)), () => undefined)
  return { facts: new Map(facts), keptMs: missing > 0 ? KEPT_MS : undefined }
}

const MAX_FONTS = 128
const MAX_WAIT_MS = 2000
const KEPT_MS = 10_000
