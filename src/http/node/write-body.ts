import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { MinRate } from '../../exchange/message.ts'

/** Sends bytes; resolves when the system accepts them, or the client disconnects. */
type Write = (bytes: Uint8Array) => Promise<void>

/** Sends a body in pieces. Drops a client that reads more slowly than `minRate`, which may change during sending. */
export function writerTo(response: ServerResponse, minRate: () => MinRate): Write {
  const pace = readerPace(minRate)
  return async bytes => {
    const began = performance.now()
    const done = new AbortController()
    const next = () => setTimeout(check, Math.min(pace.patienceMs(bytes.length, performance.now() - began), CHECK_MS))
    const check = () => {
      if (pace.patienceMs(bytes.length, performance.now() - began) > 0) limit = next()
      else void dropUnless(done.signal, response)
    }
    let limit = next()
    await writeChunk(response, bytes)
    done.abort()
    clearTimeout(limit)
    pace.took(bytes.length, performance.now() - began)
  }
}

/** The interval at which the rate is checked while a client reads a piece. */
const CHECK_MS = 500

/** Drops the client unless the next event loop turn shows that it has read: this process may have noticed late. */
async function dropUnless(done: AbortSignal, response: ServerResponse): Promise<void> {
  await nextTurn()
  if (!done.aborted) response.destroy()
}

function writeChunk(response: ServerResponse, bytes: Uint8Array): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      response.off('close', done)
      resolve()
    }
    response.once('close', done)
    response.write(bytes, done)
  })
}

/** Aborts when the reply is sent, or the client disconnects. */
export function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  if (response.destroyed) gone.abort()
  else response.once('close', () => gone.abort())
  return gone.signal
}

/** The reading speed of a client. Only the time spent waiting for the client counts. */
type ReaderPace = {
  /** The remaining time to read the next `bytes` bytes, in milliseconds, after waiting for `waitedMs`. */
  patienceMs: (bytes: number, waitedMs?: number) => number
  /** Call after each piece with its length and the time until it was read. */
  took: (bytes: number, waitedMs: number) => void
}

/**
 * Measures a client against a minimum rate of bytes per waiting time. The measurement restarts when the rate changes.
 */
export function readerPace(minRate: () => MinRate): ReaderPace {
  /** The latest pieces with fewer bytes in total than the minimum, and the waiting time at which each was read. */
  let recent: { bytes: number; at: number }[] = []
  let [inRecent, since, waited] = [0, 0, 0]
  let rate = minRate()
  return {
    patienceMs: (bytes, waitedMs = 0) => {
      const current = minRate()
      if (current !== rate) {
        rate = current
        recent = []
        inRecent = 0
        since = waited + waitedMs
      }
      return since + Math.max(1, (inRecent + bytes) / rate.bytes) * rate.milliseconds - waited - waitedMs
    },
    took: (bytes, waitedMs) => {
      waited += waitedMs
      inRecent += bytes
      recent.push({ bytes, at: waited })
      for (let [first] = recent; first && inRecent >= rate.bytes; [first] = recent) {
        recent.shift()
        inRecent -= first.bytes
        since = first.at
      }
    },
  }
}
