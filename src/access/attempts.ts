import { LRUCache } from 'lru-cache'

/** Counts failed attempts to authenticate, by client and by address, so that secrets cannot be guessed. */
export type Attempts = {
  /**
   * Counts a failed attempt. Gives 0 where it is within the limits; else it counts no more, and this is how many whole
   * seconds are left until one is within them again.
   */
  failed: (client: string, address: string) => number
}

/** Failed attempts in a minute from the first one on that are answered as such. */
const MOST = { address: 20, client: 60 }
const WINDOW_MS = 60_000
/** Beyond these, the address or client that failed longest ago is forgotten. */
const MOST_KEPT = 10_000

/** Counts attempts in this process's memory; `clock` gives milliseconds. */
export function countAttempts(clock: () => number): Attempts {
  const options = { max: MOST_KEPT, ttl: WINDOW_MS, noUpdateTTL: true, ttlResolution: 0, perf: { now: clock } }
  const failures = { address: new LRUCache<string, number>(options), client: new LRUCache<string, number>(options) }
  const kinds = ['address', 'client'] as const
  return {
    failed: (client, address) => {
      const names = { address, client: client.slice(0, 100) }
      const counts = { address: failures.address.get(address) ?? 0, client: failures.client.get(names.client) ?? 0 }
      const full = kinds.filter(kind => counts[kind] >= MOST[kind])
      if (full.length > 0) return Math.max(...full.map(kind => secondsLeft(failures[kind], names[kind])))
      for (const kind of kinds) failures[kind].set(names[kind], counts[kind] + 1)
      return 0
    },
  }
}

function secondsLeft(failures: LRUCache<string, number>, name: string): number {
  return Math.ceil(failures.getRemainingTTL(name) / 1000)
}
