import { setTimeout as sleep } from 'node:timers/promises'
import { errorMessage } from '../../../base/error.ts'
import { FilesOutage } from '../../store-error.ts'
import type { Part } from '../files.ts'
import type { Bucket, ObjectBytes } from './bucket.ts'

/** An object: its key, its SHA-256, and what people call it. */
export type ObjectRef = { key: string; hash: string; path: string }

/** The bytes from start to end, with as many requests as it takes and MAX_BREAKS allows. */
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
      const rest = sleep(Math.random() * 100 * 2 ** breaks, undefined, { ...(signal && { signal }) })
      await rest.catch(() => signal?.throwIfAborted()) // Not with an `AbortError`, but with the reason.
    }
  }
}

const MAX_BREAKS = 4
/** After so many bytes, earlier breaks do not count: servers close connections that a slow reader keeps for long. */
const FAR_BYTES = 8 << 20

function brokenOff({ path }: ObjectRef, cause: unknown): FilesOutage {
  const fix = 'see that the server runs, and the network to it'
  return new FilesOutage(`${path} broke off again and again (${errorMessage(cause)})`, fix, {
    cause,
    isDown: true,
  })
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

/** The server has to send so many bytes in this time, which is shorter than `proxy_read_timeout` of files in deploy/nginx.conf. */
const PACE_BYTES = 1 << 14
const SILENCE_MS = 3000
