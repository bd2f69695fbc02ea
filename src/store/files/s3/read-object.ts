import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorMessage } from '../../../base/error.ts'
import { FilesOutage } from '../../store-error.ts'
import type { Part } from '../files.ts'
import type { Bucket, ObjectBytes } from './bucket.ts'
import { sharedWork } from './shared-work.ts'

/** An object: its key, its SHA-256, and what people call it. */
type Named = { key: string; hash: string; path: string }

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

/** The bytes from start to end, with as many requests as it takes and MAX_BREAKS allows. */
async function* resumed(
  bucket: Bucket,
  object: Named,
  first: ObjectBytes,
  { start, end }: Part,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  let at = start
  let lastBreak = start
  for (let breaks = 0, answer: ObjectBytes | undefined = first; ; answer = undefined) {
    try {
      answer ??= await bucket.get(object.key, { part: { start: at, end }, signal })
      if (answer?.start !== at) {
        answer?.body.destroy()
        throw new Error('the server gave another part than was asked for')
      }
      for await (const chunk of patiently(answer, signal)) {
        const bytes = chunk.subarray(0, end + 1 - at)
        at += bytes.length
        yield bytes
      }
      if (at > end) return
      throw new Error('the bytes ended early')
    } catch (error) {
      signal?.throwIfAborted()
      if (at - lastBreak >= FAR_BYTES) breaks = 0
      lastBreak = at
      if (++breaks > MAX_BREAKS) throw brokenOff(object, error)
      await sleep(Math.random() * 100 * 2 ** breaks, undefined, { ...(signal && { signal }) })
    }
  }
}

const MAX_BREAKS = 4
/** After so many bytes, earlier breaks do not count: servers close connections that a slow reader keeps for long. */
const FAR_BYTES = 8 << 20

function brokenOff({ path }: Named, cause: unknown): FilesOutage {
  const fix = 'see that the server runs, and the network to it'
  return new FilesOutage(`${path} broke off again and again (${errorMessage(cause)})`, fix, { cause, isAway: true })
}

/** Gives up on a server that sends next to nothing for long; the time in which nobody asks for bytes does not count. */
async function* patiently({ body }: ObjectBytes, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]()
  const end = () => body.destroy(new Error('nobody waits for the bytes'))
  signal?.addEventListener('abort', end, { once: true })
  try {
    signal?.throwIfAborted()
    for (let waitedMs = 0, received = 0; ; ) {
      const began = performance.now()
      const giveUp = () => body.destroy(new Error('the server sent next to nothing for long'))
      const limit = setTimeout(giveUp, SILENCE_MS - waitedMs)
      const { done, value } = await chunks.next().finally(() => clearTimeout(limit))
      if (done) return
      waitedMs += performance.now() - began
      received += value.length
      if (received >= PACE_BYTES) waitedMs = received = 0
      yield value
    }
  } finally {
    signal?.removeEventListener('abort', end)
    body.destroy()
  }
}

/** The server has to send so many bytes in this time. */
const PACE_BYTES = 1 << 14
const SILENCE_MS = 5000
