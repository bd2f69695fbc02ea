import { HousestyleError } from './error.ts'

/** The longest time of a timer; longer ones would end at once. */
const MAX_MS = 2 ** 31 - 1

/**
 * Checks a time in milliseconds that a program has set.
 *
 * @throws {TypeError} if it is not a positive number, or too long for a timer
 */
export function checkedMs(name: string, ms: number): number {
  if (ms > 0 && ms <= MAX_MS) return ms
  throw new TypeError(`The ${name} is ${ms}. Use a positive number of milliseconds, at most ${MAX_MS}.`)
}

/** Waits, and throws the reason of the signal once it aborts. */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const waited = new Promise<void>(resolve => {
    timer = setTimeout(resolve, Math.min(ms, MAX_MS))
  })
  return abortable(signal, waited).finally(() => clearTimeout(timer))
}

/** The value of a promise, unless the signal aborts earlier: then throws its reason at once. */
export async function abortable<Value>(signal: AbortSignal | undefined, promise: Promise<Value>): Promise<Value> {
  if (!signal) return promise
  let stop: (() => void) | undefined
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
  })
  try {
    return await Promise.race([aborted, promise])
  } finally {
    if (stop) signal.removeEventListener('abort', stop)
  }
}

/**
 * Does work with a signal that aborts after `ms` and with the given signal. Throws the reason of the latter, and an
 * error with the code `timeout` after `ms`, even if the work ignores its signal.
 */
export async function within<Value>(
  { attempt, ms, signal }: { attempt: string; ms: number; signal: AbortSignal | undefined },
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  signal?.throwIfAborted()
  const controller = new AbortController()
  const abort = () => controller.abort(signal?.reason)
  const timer = setTimeout(() => {
    const description = `There was no reply within ${ms / 1000} seconds. Try again later, or raise the time limit.`
    controller.abort(new HousestyleError(attempt, { code: 'timeout', description }))
  }, ms)
  signal?.addEventListener('abort', abort)
  try {
    return await abortable(controller.signal, work(controller.signal))
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}
