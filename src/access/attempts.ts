import { hash } from 'node:crypto'
import type { Cache } from '../caches/cache.ts'
import type { Caches } from '../caches/caches.ts'
import { memoryOf } from '../caches/memory.ts'

/** Counts failed attempts to authenticate, by client and by address, so that secrets cannot be guessed. */
export type Attempts = {
  /** Whole seconds until another attempt is looked at; 0: now. */
  wait: (client: string, address: string) => number
  failed: (client: string, address: string) => void
}

/** Failed attempts that are looked at in a minute from the first one on. */
const MOST = { address: 20, client: 60 }
const WINDOW_MS = 60_000

/** Counts attempts in this process's memory; `clock` gives milliseconds. What failed longest ago is forgotten first. */
export function countAttempts(clock: () => number, caches: Caches): Attempts {
  const addresses = caches.open<Failures>('failed-addresses')
  const clients = caches.open<Failures>('failed-clients')
  return {
    wait: (client, address) => {
      const nowMs = clock()
      return Math.max(
        waitSeconds(addresses.get(address), MOST.address, nowMs),
        waitSeconds(clients.get(digest(client)), MOST.client, nowMs),
      )
    },
    failed: (client, address) => {
      const nowMs = clock()
      count(addresses, address, nowMs)
      count(clients, digest(client), nowMs)
    },
  }
}

/** How often something failed in the window that began then. */
type Failures = { count: number; sinceMs: number }

function waitSeconds(failures: Failures | undefined, most: number, nowMs: number): number {
  if (!failures || failures.count < most) return 0
  return Math.max(0, Math.ceil((failures.sinceMs + WINDOW_MS - nowMs) / 1000))
}

function count(cache: Cache<Failures>, key: string, nowMs: number): void {
  const known = cache.get(key)
  const isOver = !known || nowMs >= known.sinceMs + WINDOW_MS
  const failures = isOver ? { count: 1, sinceMs: nowMs } : { ...known, count: known.count + 1 }
  cache.set(key, failures, memoryOf(failures))
}

/** Clients are named by whoever asks: names of any length, none of which is kept. */
function digest(client: string): string {
  return hash('sha256', client)
}
