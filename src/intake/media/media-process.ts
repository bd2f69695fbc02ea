import process from 'node:process'
import { inspect } from 'node:util'
import { isDecoderCrash } from '#formats/font/unpack-font.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { type MaybePromise, serial } from '#platform/base/promise.ts'
import { failed, ok } from '#platform/base/result.ts'
import type { MediaAnswer, MediaPiece, MediaType } from './media-task.ts'

// This program runs in a child process, which ends when its parent disconnects.
const inTurn = serial()
let pieces: Uint8Array[] = []
process.on('message', (piece: MediaPiece) => {
  if ('bytes' in piece) return void pieces.push(piece.bytes)
  // Copied into separate memory, because `image-size` reads past the end of a short file.
  const bytes = Buffer.from(new Uint8Array(Buffer.concat(pieces)).buffer)
  pieces = []
  inTurn(async () => {
    const read = await readerOf(piece) // Not in `answer`: a parser that cannot be loaded is not a problem with the file.
    process.send?.(await answer(bytes, piece, read))
    // V8 does not count the memory of decoders, and would free it too late.
    if (process.memoryUsage.rss() > MAX_RESIDENT_BYTES) globalThis.gc?.()
  }).catch(error => {
    process.stderr.write(inspect(error))
    process.exit(1) // The pool takes this exit code for a program that cannot be loaded.
  })
})

const MAX_RESIDENT_BYTES = 256 << 20

/** Reads the bytes of a file of this type. */
type Read = (bytes: Buffer, contentType: string) => MaybePromise<MediaAnswer>

async function readerOf({ kind, contentType }: MediaType): Promise<Read> {
  if (kind === 'font') return (await import('./font.ts')).readFont
  if (kind === 'measure') {
    const { measurePicture } = await import('#brand/pictures/measure.ts')
    return async (bytes, type) => ok(withoutUndefined({ facts: await measurePicture(bytes, type) }))
  }
  if (kind === 'ink') {
    const { measureSilhouette } = await import('#brand/pictures/silhouette.ts')
    return async bytes => {
      const ink = await measureSilhouette(bytes)
      return ok(ink === 'none' ? {} : { ink })
    }
  }
  if (kind === 'location') {
    const { locationPatches } = await import('#formats/picture/location.ts')
    return bytes => ok({ patches: locationPatches(bytes) })
  }
  if (contentType === 'image/svg+xml') return (await import('./svg.ts')).readSvg
  return (await import('./raster.ts')).readRaster
}

async function answer(bytes: Buffer, { contentType }: MediaType, read: Read): Promise<MediaAnswer> {
  try {
    return await read(bytes, contentType)
  } catch (error) {
    // A crashed WebAssembly program cannot run again. The pool treats this exit code as out of memory.
    if (isDecoderCrash(error)) process.exit(134)
    // Parsers throw unhelpful errors for damaged bytes.
    return failed('it is damaged or in an unsupported format; export it again')
  }
}
