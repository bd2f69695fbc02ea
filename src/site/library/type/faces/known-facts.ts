import { withTimeout } from '../../../../base/promise.ts'
import type { FontFace } from '../../../../export/fonts/font-faces.ts'
import type { FontFacts } from '../../../../fonts/font-facts.ts'
import type { Guide } from '../../../guide/guide.ts'

/** The font facts available now. Content made from them is cached for `keptMs` if facts are missing. */
export type KnownFacts = { facts: ReadonlyMap<FontFace, FontFacts>; keptMs: number | undefined }

/**
 * Reads the facts of fonts, up to a limit. After `maxWaitMs`, it returns the available ones; a copy of a guide always
 * waits, because its readers cannot reload it.
 */
export async function knownFacts(
  { publication, fontFacts, copy }: Pick<Guide, 'publication' | 'fontFacts' | 'copy'>,
  faces: Iterable<FontFace>,
  maxWaitMs = MAX_WAIT_MS,
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
  await withTimeout(copy ? MAX_COPY_WAIT_MS : maxWaitMs, Promise.allSettled(wanted.map(read)), () => undefined)
  return { facts: new Map(facts), keptMs: missing > 0 ? KEPT_MS : undefined }
}

const MAX_FONTS = 128
/** Every page needs its theme, but without facts it would have the wrong weights. */
const MAX_WAIT_MS = 10_000
const MAX_COPY_WAIT_MS = 10 * 60_000
/** Only requests at the same time share incomplete content. */
const KEPT_MS = 1
