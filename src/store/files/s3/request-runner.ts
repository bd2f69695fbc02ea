import { AsyncLocalStorage } from 'node:async_hooks'
import type { BucketAddress } from '#settings/shared-addresses.ts'
import { causeOfTimeout, explainError } from './bucket-errors.ts'

/**
 * Runs requests to a server, including all retries, within a time limit, and explains errors. If the signal of the
 * caller aborts, the work ends with the reason of the signal.
 */
export type RunRequest = <Value>(work: (signal: AbortSignal) => Promise<Value>, limit?: RequestLimit) => Promise<Value>

/** `limitMs` is in milliseconds; the default is 30 seconds. */
type RequestLimit = { limitMs?: number | undefined; signal?: AbortSignal | undefined }

/** Creates the request runner of a bucket. `bucketSignal` ends all of its requests. */
export function createRequestRunner(address: BucketAddress, bucketSignal?: AbortSignal): RunRequest {
  return async (work, { limitMs = REQUEST_LIMIT_MS, signal: callerSignal } = {}) => {
    const signal =
      callerSignal && bucketSignal ? AbortSignal.any([callerSignal, bucketSignal]) : (callerSignal ?? bucketSignal)
    signal?.throwIfAborted()
    const ending = new AbortController()
    const end = () => ending.abort(signal?.reason)
    signal?.addEventListener('abort', end, { once: true })
    const limit = setTimeout(() => ending.abort(), limitMs)
    const attempts: Attempts = {}
    try {
      return await ATTEMPTS.run(attempts, () => work(ending.signal))
    } catch (error) {
      signal?.throwIfAborted()
      const cause = ending.signal.aborted ? causeOfTimeout(timeoutError(limitMs), attempts.latestError) : error
      throw explainError(cause, address)
    } finally {
      clearTimeout(limit)
      signal?.removeEventListener('abort', end)
    }
  }
}

const REQUEST_LIMIT_MS = 30_000

/** The error of the latest attempt at a request: its time may end while the client waits for the next attempt. */
type Attempts = { latestError?: unknown }
const ATTEMPTS = new AsyncLocalStorage<Attempts>()

/** Notes the error of an attempt at the current request. */
export function noteAttempt(error: unknown): void {
  const attempts = ATTEMPTS.getStore()
  if (attempts) attempts.latestError = error
}

/** Runs requests that send bytes, which may take ten minutes. */
export function runUpload<Value>(
  runRequest: RunRequest,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  return runRequest(work, { limitMs: 10 * 60_000 })
}

function timeoutError(milliseconds: number): Error {
  const error = new Error(`no reply within ${milliseconds / 1000} s`)
  return Object.assign(error, { name: 'TimeoutError' })
}
