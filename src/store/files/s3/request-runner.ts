import type { BucketAddress } from '../../../settings/bucket-address.ts'
import { explainError } from './bucket-errors.ts'

/**
 * Does what is asked of a server, with all its tries, within a limit, and puts its errors in words. If the signal of the
 * caller aborts, that ends it with the reason of the signal.
 */
export type RunRequest = <Value>(work: (signal: AbortSignal) => Promise<Value>, limit?: RequestLimit) => Promise<Value>

/** `limitMs` in milliseconds; absent: 30 seconds. */
type RequestLimit = { limitMs?: number; signal?: AbortSignal | undefined }

/** Requests to a bucket; `lasting` is a signal of all of them. */
export function createRequestRunner(address: BucketAddress, lasting?: AbortSignal): RunRequest {
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
      throw explainError(ending.signal.aborted ? silentFor(limitMs) : error, address)
    } finally {
      clearTimeout(limit)
      signal?.removeEventListener('abort', end)
    }
  }
}

const ANSWER_MS = 30_000
/** For bytes that are sent. */
export const UPLOAD_LIMIT_MS = 10 * 60_000

function silentFor(milliseconds: number): Error {
  const error = new Error(`no reply within ${milliseconds / 1000} s`)
  return Object.assign(error, { name: 'TimeoutError' })
}
