import { sleep } from './time.ts'

/** The part of the standard `fetch` that the client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Everything outside the client that it uses. */
export type Platform = {
  fetch: Fetch
  /** The time limit of an attempt, and of a pause within a download, in milliseconds. */
  timeout: number
  /** Milliseconds since 1970. */
  now: () => number
  /** At least 0, less than 1. */
  random: () => number
  sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}

export function platformOf(fetch: Fetch, timeout: number): Platform {
  return { fetch, timeout, now: Date.now, random: Math.random, sleep }
}
