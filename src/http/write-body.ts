import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { LeastRate } from '../exchange/message.ts'
import { readerPace } from './reader-pace.ts'

/** Sends bytes; resolves when the system has taken them, or the client has gone. */
type Write = (bytes: Uint8Array) => Promise<void>

/** Sends a body piece by piece; a client that reads less than the least rate, where there is one, is dropped. */
export function writerTo(response: ServerResponse, least: LeastRate | undefined): Write {
  if (!least) return bytes => written(response, bytes)
  const pace = readerPace(least)
  return async bytes => {
    const began = performance.now()
    const done = new AbortController()
    const limit = setTimeout(() => void dropUnless(done.signal, response), pace.patienceMs(bytes.length))
    await written(response, bytes)
    done.abort()
    clearTimeout(limit)
    pace.took(bytes.length, performance.now() - began)
  }
}

/** Checks once more first what the client has read: we may have been too slow ourselves to notice. */
async function dropUnless(done: AbortSignal, response: ServerResponse): Promise<void> {
  await nextTurn()
  if (!done.aborted) response.destroy()
}

function written(response: ServerResponse, bytes: Uint8Array): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      response.off('close', done)
      resolve()
    }
    response.once('close', done)
    response.write(bytes, done)
  })
}
