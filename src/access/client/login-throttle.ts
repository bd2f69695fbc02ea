import { hash } from 'node:crypto'
import type { MaybePromise } from '../../base/promise.ts'
import type { Caches } from '../../caches/caches.ts'
import { memoryOf } from '../../caches/memory.ts'
import { networkOf } from '../../exchange/ip-address.ts'

/** Limits failed logins by client and by address network, to prevent guessing secrets. */
export type LoginThrottle<Seconds extends MaybePromise<number> = MaybePromise<number>> = {
  /**
   * Counts a failed login and returns 0 if it is within the limits. Otherwise counts nothing, and returns the whole
   * seconds until the next failure counts.
   */
  countFailure: (client: string, address: string) => Seconds
}

/**
 * Counts in this process's memory. `clock` returns milliseconds. If memory is short, the oldest failures are dropped.
 */
export function openLoginThrottle(clock: () => number, caches: Caches): LoginThrottle<number> {
  const counters = {
    address: caches.open<Failures>('failed-addresses'),
    client: caches.open<Failures>('failed-clients'),
  }
  const kinds = ['address', 'client'] as const
  return {
    countFailure: (client, address) => {
      const nowMs = clock()
      // Clients may send ids of any length, so only hashes are kept.
      const keys = { address: networkOf(address), client: hash('sha256', client) }
      const counts = kinds.map(kind => ({ kind, failures: current(counters[kind].get(keys[kind]), nowMs) }))
      const full = counts.filter(({ kind, failures }) => failures.count >= MAX_FAILURES[kind])
      if (full.length > 0) return Math.max(...full.map(({ failures }) => secondsLeft(failures, nowMs)))
      for (const { kind, failures } of counts) {
        const next = { ...failures, count: failures.count + 1 }
        counters[kind].set(keys[kind], next, memoryOf(next))
      }
      return 0
    },
  }
}

/** Failures in the window that began at `sinceMs`. */
type Failures = { count: number; sinceMs: number }

/** A window begins with its first failure. */
const WINDOW_MS = 60_000
const MAX_FAILURES = { address: 20, client: 60 }

function current(failures: Failures | undefined, nowMs: number): Failures {
  return failures && nowMs < failures.sinceMs + WINDOW_MS ? failures : { count: 0, sinceMs: nowMs }
}

function secondsLeft({ sinceMs }: Failures, nowMs: number): number {
  return Math.ceil((sinceMs + WINDOW_MS - nowMs) / 1000)
}
