import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorMessage } from '../../../base/error.ts'
import { FilesOutage } from '../../store-error.ts'
import type { Part } from '../files.ts'
import type { Bucket, ObjectBytes } from './bucket.ts'

/** An object: its key, its SHA-256, and what people call it. */
type Named = { key: string; hash: string; path: string }

/**
 * The bytes of an object, or a part of them; undefined if it is not there. A small object is checked before any of it
 * is given, a part of one as well. A large one is checked on the way, and its last chunk is given only if it has its
 * hash. A part of a large object cannot be checked. What breaks off is asked for again from there on.
 */
export async function readObject(
  bucket: Bucket,
  object: Named,
  part?: Part,
): Promise<AsyncGenerator<Uint8Array> | undefined> {
  if (part && part.end < part.start) return empty()
  const first = await bucket.get(object.key, part)
  if (!first) return undefined
  if (first.total > SMALL_BYTES) {
    const range = part ?? { start: 0, end: first.total - 1 }
    const bytes = resumed(bucket, object, first, { ...range, end: Math.min(range.end, first.total - 1) })
    const chunks = startedWith(first, part ? bytes : provenAtEnd(bytes, object))
    await chunks.next()
    return chunks
  }
  const whole = await wholeObject(bucket, object, part ? discarded(first) : first)
  return whole && given(part ? whole.subarray(part.start, part.end + 1) : whole)
}

/** Objects up to here are read into memory and checked first. */
const SMALL_BYTES = 1 << 20

async function* empty(): AsyncGenerator<Uint8Array> {}

async function* given(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes
}

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
async function wholeObject(bucket: Bucket, object: Named, first: ObjectBytes | undefined): Promise<Buffer | undefined> {
  for (let tries = 1, answer = first; ; tries++, answer = undefined) {
    answer ??= await bucket.get(object.key)
    if (!answer) return undefined
    const range = { start: 0, end: answer.total - 1 }
    const chunks: Uint8Array[] = []
    for await (const chunk of resumed(bucket, object, answer, range)) chunks.push(chunk)
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

/** The bytes from start to end, with as many requests as it takes and MAX_BREAKS allows. */
async function* resumed(
  bucket: Bucket,
  object: Named,
  first: ObjectBytes,
  { start, end }: Part,
): AsyncGenerator<Uint8Array> {
  let at = start
  for (let breaks = 0, answer: ObjectBytes | undefined = first; ; answer = undefined) {
    try {
      answer ??= await bucket.get(object.key, { start: at, end })
      if (answer?.start !== at) throw new Error('the server gave another part than was asked for')
      for await (const chunk of patiently(answer)) {
        const bytes = chunk.subarray(0, end + 1 - at)
        at += bytes.length
        yield bytes
      }
      if (at > end) return
      throw new Error('the bytes ended early')
    } catch (error) {
      if (++breaks > MAX_BREAKS) throw brokenOff(object, error)
      await sleep(Math.random() * 100 * 2 ** breaks)
    }
  }
}

const MAX_BREAKS = 4

function brokenOff({ path }: Named, cause: unknown): FilesOutage {
  const fix = 'see that the server runs, and the network to it'
  return new FilesOutage(`${path} broke off again and again (${errorMessage(cause)})`, fix, { cause })
}

/** Gives up on a server that is silent for long; the time in which nobody asks for bytes does not count. */
async function* patiently({ body }: ObjectBytes): AsyncGenerator<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]()
  try {
    for (;;) {
      const limit = setTimeout(() => body.destroy(new Error('the server sent nothing for long')), SILENCE_MS)
      const { done, value } = await chunks.next().finally(() => clearTimeout(limit))
      if (done) return
      yield value
    }
  } finally {
    body.destroy()
  }
}

const SILENCE_MS = 15_000
