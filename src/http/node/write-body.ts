import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { MinRate } from '../../exchange/message.ts'
import { readerPace } from './reader-pace.ts'

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
