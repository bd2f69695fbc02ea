import { setTimeout as sleep } from 'node:timers/promises'
import { errorMessage } from '../../../base/error.ts'
import { FilesOutage } from '../../store-error.ts'
import type { Part } from '../files.ts'
import type { Bucket, ObjectBytes } from './bucket.ts'

/** An object: its key, its SHA-256, and its name in messages. */
export type ObjectRef = { key: string; hash: string; path: string }

/** Reads the bytes from start to end. Each break costs a new request, up to MAX_BREAKS. */
export async function* readWithRetries(
  bucket: Bucket,
  object: ObjectRef,
  first: ObjectBytes | undefined,
  { start, end }: Part,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  let at = start
  let lastBreak = start
  for (let breaks = 0, answer = first; ; answer = undefined) {
    try {
      answer ??= await bucket.get(object.key, { part: { start: at, end }, signal })
      if (answer?.start !== at) {
        answer?.body.destroy()
        throw new Error('the server sent another range than requested')
      }
      for await (const chunk of readUnlessStalled(answer, signal)) {
        const bytes = chunk.subarray(0, end + 1 - at)
        at += bytes.length
        yield bytes
      }
      if (at > end) return
      throw new Error('the bytes ended early')
    } catch (error) {
      signal?.throwIfAborted()
      if (at - lastBreak >= RESET_AFTER_BYTES) breaks = 0
      lastBreak = at
      if (++breaks > MAX_BREAKS) throw readFailure(object, error)
      const rest = sleep(Math.random() * 100 * 2 ** breaks, undefined, { signal })
      await rest.catch(() => signal?.throwIfAborted()) // Throws the reason instead of an `AbortError`.
    }
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
      if (received >= MIN_PROGRESS_BYTES) waitedMs = received = 0
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
