import { hash } from 'node:crypto'
import type { Caches } from '../../caches/caches.ts'
import { memoryOf } from '../../caches/memory.ts'

/** Counts failed attempts to authenticate, by client and by address, so that secrets cannot be guessed. */
export type LoginThrottle = {
  /**
   * Counts a failed attempt. Gives 0 where it is within the limits; else it counts no more, and this is how many whole
   * seconds are left until one is within them again.
   */
  failed: (client: string, address: string) => number
}

/** Failed attempts in a minute from the first one on that are answered as such. */
const MOST = { address: 20, client: 60 }
const WINDOW_MS = 60_000

/** Counts attempts in this process's memory; `clock` gives milliseconds. What failed longest ago is forgotten first. */
export function openLoginThrottle(clock: () => number, caches: Caches): LoginThrottle {
  const kept = { address: caches.open<Failures>('failed-addresses'), client: caches.open<Failures>('failed-clients') }
  const kinds = ['address', 'client'] as const
  return {
    failed: (client, address) => {
      const nowMs = clock()
      const names = { address, client: digest(client) }
      const counts = kinds.map(kind => ({ kind, failures: current(kept[kind].get(names[kind]), nowMs) }))
      const full = counts.filter(({ kind, failures }) => failures.count >= MOST[kind])
      if (full.length > 0) return Math.max(...full.map(({ failures }) => secondsLeft(failures, nowMs)))
      for (const { kind, failures } of counts) {
        const next = { ...failures, count: failures.count + 1 }
        kept[kind].set(names[kind], next, memoryOf(next))
      }
      return 0
    },
  }
}

/** How often something failed in the window that began then. */
type Failures = { count: number; sinceMs: number }

function current(failures: Failures | undefined, nowMs: number): Failures {
  return failures && nowMs < failures.sinceMs + WINDOW_MS ? failures : { count: 0, sinceMs: nowMs }
}

function secondsLeft({ sinceMs }: Failures, nowMs: number): number {
  return Math.ceil((sinceMs + WINDOW_MS - nowMs) / 1000)
}

/** Clients are named by whoever asks: names of any length, none of which is kept. */
function digest(client: string): string {
  return hash('sha256', client)
}
