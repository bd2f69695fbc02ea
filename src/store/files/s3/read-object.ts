import { createHash } from 'node:crypto'
import { FilesOutage } from '../../store-error.ts'
import type { Part } from '../files.ts'
import type { Bucket, ObjectBytes } from './bucket.ts'
import { type Named, resumed } from './resumed.ts'
import { sharedWork } from './shared-work.ts'

/** Reads the bytes of an object, or a part of them; undefined if it is not there. The signal ends what is under way. */
type ReadObject = (object: Named, part?: Part, signal?: AbortSignal) => Promise<AsyncGenerator<Uint8Array> | undefined>

/**
 * Reads objects. A small one is checked before any of it is given, a part of one as well, and read once for all who ask
 * at the same time. A large one is checked on the way, and its last chunk is given only if it has its hash. A part of a
 * large object cannot be checked. What breaks off is asked for again from there on.
 */
export function objectReader(bucket: Bucket): ReadObject {
  const shared = sharedWork<Looked>()
  return async (object, part, signal) => {
    if (part && part.end < part.start) return empty()
    let large: ObjectBytes | undefined
    let hasLeft = false
    const look = async (ending: AbortSignal) => {
      const first = await bucket.get(object.key, { part, signal: ending })
      if (!first || first.total <= SMALL_BYTES)
        return first && wholeObject(bucket, object, part ? discarded(first) : first, ending)
      large = hasLeft ? discarded(first) : first
      return 'large'
    }
    const found = await shared(object.key, look, signal).catch(error => {
      hasLeft = true
      large?.body.destroy()
      throw error
    })
    if (found !== 'large') return found && given(part ? found.subarray(part.start, part.end + 1) : found)
    const first = large ?? (await bucket.get(object.key, { part, signal }))
    return first && largeObject(bucket, { object, first, part, signal })
  }
}

/** What stands under a key: a small object, a large one, or nothing. */
type Looked = Buffer | 'large' | undefined

type Large = { object: Named; first: ObjectBytes; part: Part | undefined; signal: AbortSignal | undefined }

async function largeObject(
  bucket: Bucket,
  { object, first, part, signal }: Large,
): Promise<AsyncGenerator<Uint8Array>> {
  const range = part ?? { start: 0, end: first.total - 1 }
  const bytes = resumed(bucket, object, first, { ...range, end: Math.min(range.end, first.total - 1) }, signal)
  const chunks = startedWith(first, part ? bytes : provenAtEnd(bytes, object))
  await chunks.next()
  return chunks
}

/** Objects up to here are read into memory and checked first. */
const SMALL_BYTES = 1 << 20

async function* empty(): AsyncGenerator<Uint8Array> {}

async function* given(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES)
}

const CHUNK_BYTES = 1 << 17

function discarded({ body }: ObjectBytes): undefined {
  body.destroy()
}

/** The first chunk is empty: ending a generator that has not started would not let go of the connection. */
async function* startedWith(first: ObjectBytes, chunks: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield new Uint8Array()
    yield* chunks
  } finally {
    first.body.destroy()
  }
}

/** Wrong bytes may be of the network's making, so they are read a second time. */
async function wholeObject(
  bucket: Bucket,
  object: Named,
  first: ObjectBytes | undefined,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  for (let tries = 1, answer = first; ; tries++, answer = undefined) {
    answer ??= await bucket.get(object.key, { signal })
    if (!answer) return undefined
    const range = { start: 0, end: answer.total - 1 }
    const chunks: Uint8Array[] = []
    for await (const chunk of resumed(bucket, object, answer, range, signal)) chunks.push(chunk)
    const whole = Buffer.concat(chunks)
    if (createHash('sha256').update(whole).digest('hex') === object.hash) return whole
    if (tries === 2) throw wrongBytes(object)
  }
}

/** Holds each chunk back until the next arrives, and the last until the hash is right. */
async function* provenAtEnd(chunks: AsyncGenerator<Uint8Array>, object: Named): AsyncGenerator<Uint8Array> {
  const digest = createHash('sha256')
  let held: Uint8Array | undefined
  for await (const chunk of chunks) {
    digest.update(chunk)
    if (held) yield held
    held = chunk
  }
  if (digest.digest('hex') !== object.hash) throw wrongBytes(object)
  if (held) yield held
}

function wrongBytes({ path }: Named): FilesOutage {
  return new FilesOutage(`${path} came with bytes that are not its own`, 'see housestyle doctor', {
    code: 'store_damaged',
  })
}
