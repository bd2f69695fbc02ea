import { createHash, hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorMessage } from '#platform/base/error.ts'
import { DamagedContent, FilesOutage } from '../../store-error.ts'
import type { Part } from '../files.ts'
import type { Bucket, ObjectBytes } from './bucket.ts'
import { BLOCK_BYTES, blockListOf, blocksAround, isBlockListOf, isInBlockList, SMALL_BYTES } from './write-object.ts'

/** Reads the bytes of an object or of a part of it; undefined if it does not exist. The signal ends the read. */
type ReadObject = (
  object: ObjectRef,
  part?: Part,
  signal?: AbortSignal,
) => Promise<AsyncGenerator<Uint8Array> | undefined>

/**
 * Creates a reader of objects that verifies their bytes. A small object is read once for all concurrent callers, and
 * checked as a whole first. A large object is checked while it is read, and its last chunk is sent only if the hash is
 * right. For a part of a large object, each block is checked before any of it is sent. A broken read continues where it
 * broke off.
 */
export function objectReader(bucket: Bucket): ReadObject {
  const shared = sharedWork<FoundObject>()
  return async (object, part, signal) => {
    if (part && part.end < part.start) return empty()
    const range = part && blocksAround(part)
    /** The begun reply with a large object, if this caller and no other has asked for it. Others learn only its kind. */
    let large: ObjectBytes | undefined
    /** Whether this caller has left before the reply came, which is then not read. */
    let hasLeft = false
    const readIfSmall = async (ending: AbortSignal) => {
      const first = await bucket.get(object.key, { part: range, signal: ending })
      if (!first) return undefined
      if (first.total <= SMALL_BYTES) {
        const isWhole = !range || (range.start === 0 && range.end >= first.total - 1)
        return wholeObject(bucket, object, isWhole ? first : discard(first), ending)
      }
      large = hasLeft ? discard(first) : first
      return 'large'
    }
    const bytes = await shared(object.key, readIfSmall, signal).catch(error => {
      hasLeft = true
      large?.body.destroy()
      throw error
    })
    if (bytes !== 'large') return bytes && inChunks(part ? bytes.subarray(part.start, part.end + 1) : bytes)
    const first = large ?? (await bucket.get(object.key, { part: range, signal }))
    return first && largeObject(bucket, { object, first, part, signal })
  }
}

/** The object under a key: the bytes of a small one, a large one, or none. */
type FoundObject = Buffer | 'large' | undefined

/** A read of a large object: `first` is the begun reply, and `part` what the caller wants of it. */
type Large = { object: ObjectRef; first: ObjectBytes; part: Part | undefined; signal: AbortSignal | undefined }

async function largeObject(
  bucket: Bucket,
  { object, first, part, signal }: Large,
): Promise<AsyncGenerator<Uint8Array>> {
  const whole = { start: 0, end: first.total - 1 }
  const bytes = part
    ? verifyBlocks(bucket, { object, first, part, signal })
    : verifyAtEnd(readWithRetries(bucket, object, first, whole, signal), object)
  const chunks = startedWith(first, bytes)
  await chunks.next()
  return chunks
}

async function* empty(): AsyncGenerator<Uint8Array> {}

/** Bytes in pieces of a size that a slow reader may keep in memory. */
async function* inChunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES)
}

const CHUNK_BYTES = 1 << 17

/** Ends a reply without reading it. */
function discard({ body }: ObjectBytes): undefined {
  body.destroy()
}

/**
 * Starts with an empty chunk, which the caller takes: ending a generator that has not started would not close the
 * connection. The empty chunk is sent when the first real one has arrived.
 */
async function* startedWith(first: ObjectBytes, chunks: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    const { done, value } = await chunks.next()
    yield new Uint8Array()
    if (done) return
    yield value
    yield* chunks
  } finally {
    first.body.destroy()
    await chunks.return(undefined)
  }
}

/**
 * The bytes of an object; undefined if it does not exist. `first` is a begun reply with it. Wrong bytes may come from the
 * network, so they are read a second time.
 */
async function wholeObject(
  bucket: Bucket,
  object: ObjectRef,
  first: ObjectBytes | undefined,
  signal: AbortSignal | undefined,
  isRight = (bytes: Buffer) => hash('sha256', bytes) === object.hash,
): Promise<Buffer | undefined> {
  for (let tries = 1, begun = first; ; tries++, begun = undefined) {
    const reply = begun ?? (await bucket.get(object.key, { signal }))
    if (!reply) return undefined
    const range = { start: 0, end: reply.total - 1 }
    const chunks: Uint8Array[] = []
    for await (const chunk of readWithRetries(bucket, object, reply, range, signal)) chunks.push(chunk)
    const whole = Buffer.concat(chunks)
    if (isRight(whole)) return whole
    if (tries === 2) throw wrongBytes(object)
  }
}

/** Holds each chunk back until the next arrives, and the last until the hash is right. */
async function* verifyAtEnd(chunks: AsyncGenerator<Uint8Array>, object: ObjectRef): AsyncGenerator<Uint8Array> {
  const digest = createHash('sha256')
  let lastChunk: Uint8Array | undefined
  for await (const chunk of chunks) {
    digest.update(chunk)
    if (lastChunk) yield lastChunk
    lastChunk = chunk
  }
  if (digest.digest('hex') !== object.hash) throw wrongBytes(object)
  if (lastChunk) yield lastChunk
}

/**
 * Reads a part of a large object, and checks each block before sending any of it. Wrong bytes are read a second time. The
 * reads cover whole blocks; of the first and the last one, only what is in the part is sent.
 */
async function* verifyBlocks(
  bucket: Bucket,
  { object, first, part, signal }: Large & { part: Part },
): AsyncGenerator<Uint8Array> {
  const listed = readBlockList(bucket, object, signal) // Concurrently with the first block.
  listed.catch(() => undefined)
  const around = blocksAround(part)
  const end = Math.min(around.end, first.total - 1)
  /** The start of the next block. */
  let at = around.start
  let wrongAt: number | undefined
  for (let begun: ObjectBytes | undefined = first; at <= end; begun = undefined)
    for await (const block of inBlocks(readWithRetries(bucket, object, begun, { start: at, end }, signal))) {
      const list = await listed
      if (!isInBlockList(list, at, block)) {
        if (wrongAt === at) throw wrongBytes(object)
        wrongAt = at
        break // Reads again from this block.
      }
      yield* inChunks(block.subarray(Math.max(0, part.start - at), part.end + 1 - at))
      at += block.length
    }
}

/** Reads the list of the blocks of a large object. Throws if it is missing or damaged. */
async function readBlockList(bucket: Bucket, object: ObjectRef, signal: AbortSignal | undefined): Promise<Buffer> {
  const list = { ...object, key: blockListOf(object.key), path: blockListOf(object.path) }
  const bytes = await wholeObject(bucket, list, undefined, signal, bytes => isBlockListOf(bytes, object.hash))
  if (!bytes) throw new DamagedContent({ kind: 'file', path: list.path }, { isMissing: true })
  return bytes
}

/** Splits bytes into blocks. Each block reuses the memory of the previous one. */
async function* inBlocks(chunks: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const block = Buffer.allocUnsafeSlow(BLOCK_BYTES)
  let length = 0
  for await (const chunk of chunks)
    for (let at = 0; at < chunk.length; ) {
      const taken = chunk.subarray(at, at + BLOCK_BYTES - length)
      block.set(taken, length)
      at += taken.length
      length += taken.length
      if (length < BLOCK_BYTES) continue
      yield block
      length = 0
    }
  if (length > 0) yield block.subarray(0, length)
}

function wrongBytes({ path }: ObjectRef): DamagedContent {
  return new DamagedContent({ kind: 'file', path })
}

/**
 * Runs work once for all concurrent callers with the same key. A caller whose signal aborts gets the reason at once.
 * The work itself is aborted when no caller is waiting any more.
 */
function sharedWork<Value>(): SharedWork<Value> {
  const underWay = new Map<string, UnderWay<Value>>()
  return async (key, work, signal) => {
    signal?.throwIfAborted()
    const joined = underWay.get(key) ?? begin(underWay, key, work)
    joined.waiting++
    const { promise: left, reject } = Promise.withResolvers<never>()
    const leave = () => reject(signal?.reason)
    signal?.addEventListener('abort', leave, { once: true })
    try {
      return await Promise.race([joined.result, left])
    } finally {
      signal?.removeEventListener('abort', leave)
      joined.waiting--
      if (joined.waiting === 0) {
        if (underWay.get(key) === joined) underWay.delete(key)
        joined.ending.abort()
      }
    }
  }
}

type SharedWork<Value> = (
  key: string,
  work: (ending: AbortSignal) => Promise<Value>,
  signal?: AbortSignal,
) => Promise<Value>

/** Work, how to end it, and the number of the callers that wait for it. */
type UnderWay<Value> = { result: Promise<Value>; ending: AbortController; waiting: number }

/** Begins work that later callers with the same key join, until it is done. */
function begin<Value>(
  underWay: Map<string, UnderWay<Value>>,
  key: string,
  work: (ending: AbortSignal) => Promise<Value>,
): UnderWay<Value> {
  const ending = new AbortController()
  const result = work(ending.signal).finally(() => underWay.get(key) === begun && underWay.delete(key))
  const begun: UnderWay<Value> = { result, ending, waiting: 0 }
  underWay.set(key, begun)
  return begun
}

/** An object: its key, its SHA-256, and its name in messages. */
type ObjectRef = { key: string; hash: string; path: string }

/** Reads the bytes from start to end, the first ones from a begun reply. Each break costs a new request, up to MAX_BREAKS. */
async function* readWithRetries(
  bucket: Bucket,
  object: ObjectRef,
  first: ObjectBytes | undefined,
  { start, end }: Part,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  let at = start
  const waitAfterBreak = limitBreaks(object, start, signal)
  for (let begun = first; ; begun = undefined) {
    try {
      const reply = begun ?? (await bucket.get(object.key, { part: { start: at, end }, signal }))
      if (reply?.start !== at) {
        reply?.body.destroy()
        throw new Error('the server sent another range than requested')
      }
      for await (const chunk of readUnlessStalled(reply, signal)) {
        const bytes = chunk.subarray(0, end + 1 - at)
        at += bytes.length
        yield bytes
      }
      if (at > end) return
      throw new Error('the bytes ended early')
    } catch (error) {
      signal?.throwIfAborted()
      await waitAfterBreak(at, error)
    }
  }
}

/** Makes the function that waits after a break at a position, each time for longer. It throws after too many breaks. */
function limitBreaks(object: ObjectRef, start: number, signal: AbortSignal | undefined) {
  let breaks = 0
  let lastBreak = start
  return async (at: number, error: unknown): Promise<void> => {
    if (at - lastBreak >= RESET_AFTER_BYTES) breaks = 0
    lastBreak = at
    breaks += 1
    if (breaks > MAX_BREAKS) throw readFailure(object, error)
    const pause = sleep(Math.random() * 100 * 2 ** breaks, undefined, { signal })
    await pause.catch(() => signal?.throwIfAborted()) // Throws the reason instead of an `AbortError`.
  }
}

const MAX_BREAKS = 4
/** After this many bytes, earlier breaks no longer count: servers close connections of slow readers. */
const RESET_AFTER_BYTES = 8 << 20

function readFailure({ path }: ObjectRef, cause: unknown): FilesOutage {
  const fix = 'check that the server runs, and the network between it and this machine'
  return new FilesOutage(`${path} broke off repeatedly (${errorMessage(cause)})`, fix, {
    cause,
    isDown: true,
  })
}

/** Gives up on a server that sends almost nothing for some time. Time without a waiting reader does not count. */
async function* readUnlessStalled({ body }: ObjectBytes, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]()
  const end = () => body.destroy(new Error('the reader has left'))
  signal?.addEventListener('abort', end, { once: true })
  try {
    signal?.throwIfAborted()
    for (let waitedMs = 0, received = 0; ; ) {
      const began = performance.now()
      const giveUp = () => body.destroy(new Error('the server sent almost nothing for 3 seconds'))
      const limit = setTimeout(giveUp, SILENCE_MS - waitedMs)
      const { done, value } = await chunks.next().finally(() => clearTimeout(limit))
      if (done) return
      waitedMs += performance.now() - began
      received += value.length
      if (received >= MIN_PROGRESS_BYTES) {
        waitedMs = 0
        received = 0
      }
      yield value
    }
  } finally {
    signal?.removeEventListener('abort', end)
    body.destroy()
  }
}

/**
 * The server must send this many bytes within `SILENCE_MS`, which is shorter than the `proxy_read_timeout` of files in
 * deploy/nginx.conf.
 */
const MIN_PROGRESS_BYTES = 1 << 14
const SILENCE_MS = 3000
