import { hash } from 'node:crypto'
import type { Caches } from '../../caches/caches.ts'
import { memoryOf } from '../../caches/memory.ts'

/** Counts failed attempts to authenticate, by client and by address, so that nobody can guess secrets. */
export type LoginThrottle = {
  /**
   * Counts a failed attempt, and gives 0 if it is within the limits. Otherwise it is not counted, and this is how many
   * whole seconds to wait until another one is.
   */
  countFailure: (client: string, address: string) => number
}

/** Counts in this process's memory; `clock` gives milliseconds. The oldest failures make room for new ones. */
export function openLoginThrottle(clock: () => number, caches: Caches): LoginThrottle {
  const counters = {
    address: caches.open<Failures>('failed-addresses'),
    client: caches.open<Failures>('failed-clients'),
  }
  const kinds = ['address', 'client'] as const
  return {
    countFailure: (client, address) => {
      const nowMs = clock()
      const keys = { address, client: digest(client) }
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

/** Failures in the window that began then. */
type Failures = { count: number; sinceMs: number }

/** A window begins with its first failure. */
const WINDOW_MS = 60_000
const MAX_FAILURES = { address: 20, client: 60 }

/** Anyone can send client ids of any length, so none is kept as it was sent. */
function digest(client: string): string {
  return hash('sha256', client)
}

function current(failures: Failures | undefined, nowMs: number): Failures {
  return failures && nowMs < failures.sinceMs + WINDOW_MS ? failures : { count: 0, sinceMs: nowMs }
}

function secondsLeft({ sinceMs }: Failures, nowMs: number): number {
  return Math.ceil((sinceMs + WINDOW_MS - nowMs) / 1000)
}
