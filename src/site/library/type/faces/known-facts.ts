import { withTimeout } from '../../../../base/promise.ts'
import type { BrandFile } from '../../../../brand/file.ts'
import type { FontFacts } from '../../../../fonts/font-facts.ts'
import type { Guide } from '../../../guide/guide.ts'

/** The font facts available now. Content made from them is cached for `keptMs` if facts are missing. */
type KnownFacts<Face> = { facts: ReadonlyMap<Face, FontFacts>; keptMs: number | undefined }

/**
 * Reads the facts of fonts, up to a limit. After `maxWaitMs`, it returns the available ones; a copy of a guide always
 * waits, because its readers cannot reload it.
 */
export async function knownFacts<Face extends { file: BrandFile }>(
  { publication, fontFacts, copy }: Pick<Guide, 'publication' | 'fontFacts' | 'copy'>,
  faces: Iterable<Face>,
  maxWaitMs = MAX_WAIT_MS,
): Promise<KnownFacts<Face>> {
  const facts = new Map<Face, FontFacts>()
  let missing = 0
  const read = async (face: Face) => {
    missing++
    const ofFace = await fontFacts(publication.record.workspace, face.file)
    missing--
    if (ofFace) facts.set(face, ofFace)
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
