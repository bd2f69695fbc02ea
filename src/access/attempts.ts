import { LRUCache } from 'lru-cache'

/** Counts failed attempts to authenticate, by client and by address, so that secrets cannot be guessed. */
export type Attempts = {
  /** Whole seconds until another attempt is looked at; 0: now. */
  wait: (client: string, address: string) => number
  failed: (client: string, address: string) => void
}

/** Failed attempts that are looked at in a minute from the first one on. */
const MOST = { address: 20, client: 60 }
const WINDOW_MS = 60_000
/** Beyond these, the address or client that failed longest ago is forgotten. */
const MOST_KEPT = 10_000

/** Counts attempts in this process's memory; `clock` gives milliseconds. */
export function countAttempts(clock: () => number): Attempts {
  const options = { max: MOST_KEPT, ttl: WINDOW_MS, noUpdateTTL: true, ttlResolution: 0, perf: { now: clock } }
  const failures = { address: new LRUCache<string, number>(options), client: new LRUCache<string, number>(options) }
  const kinds = ['address', 'client'] as const
  const keys = (client: string, address: string) => ({ address, client: client.slice(0, 100) })
  return {
    wait: (client, address) => {
      const names = keys(client, address)
      const waits = kinds.map(kind => {
        const isFull = (failures[kind].get(names[kind]) ?? 0) >= MOST[kind]
        return isFull ? Math.ceil(failures[kind].getRemainingTTL(names[kind]) / 1000) : 0
      })
      return Math.max(...waits)
    },
    failed: (client, address) => {
      const names = keys(client, address)
      for (const kind of kinds) failures[kind].set(names[kind], (failures[kind].get(names[kind]) ?? 0) + 1)
    },
  }
}
