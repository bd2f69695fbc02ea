import type { BucketAddress } from '../../../settings/bucket-address.ts'
import { explainedError } from './bucket-errors.ts'

/**
 * Does what is asked of a server, with all its tries, within a limit, and puts its errors in words. If the signal of the
 * caller aborts, that ends it with the reason of the signal.
 */
export type Asked = <Value>(work: (signal: AbortSignal) => Promise<Value>, limit?: AskingLimit) => Promise<Value>

/** `limitMs` in milliseconds; absent: 30 seconds. */
type AskingLimit = { limitMs?: number; signal?: AbortSignal | undefined }

/** Requests to a bucket; `lasting` is a signal of all of them. */
export function askedOf(address: BucketAddress, lasting?: AbortSignal): Asked {
  return async (work, { limitMs = ANSWER_MS, signal: own } = {}) => {
    const signal = own && lasting ? AbortSignal.any([own, lasting]) : (own ?? lasting)
    signal?.throwIfAborted()
    const ending = new AbortController()
    const end = () => ending.abort(signal?.reason)
    signal?.addEventListener('abort', end, { once: true })
    const limit = setTimeout(() => ending.abort(), limitMs)
    try {
      return await work(ending.signal)
    } catch (error) {
      signal?.throwIfAborted()
      throw explainedError(ending.signal.aborted ? silentFor(limitMs) : error, address)
    } finally {
      clearTimeout(limit)
      signal?.removeEventListener('abort', end)
    }
  }
}

const ANSWER_MS = 30_000
/** For bytes that are sent. */
export const SENDING_MS = 10 * 60_000

function silentFor(milliseconds: number): Error {
  const error = new Error(`no reply within ${milliseconds / 1000} s`)
  return Object.assign(error, { name: 'TimeoutError' })
}
