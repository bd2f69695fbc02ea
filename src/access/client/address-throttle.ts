import type { Caches } from '../../caches/caches.ts'
import { memoryOf } from '../../caches/memory.ts'
import { networkOf } from '../../exchange/ip-address.ts'

/** Counts an action of an address, and returns whether it is within the limit. */
export type AddressThrottle = (address: string) => boolean

/**
 * Limits an action to `max` per minute and network of addresses, in this process's memory. `clock` returns
 * milliseconds. If memory is short, the oldest counts are dropped.
 */
export function openAddressThrottle(
  clock: () => number,
  caches: Caches,
  name: 'authorizations' | 'client-fetches',
  max: number,
): AddressThrottle {
  const counts = caches.open<{ count: number; sinceMs: number }>(name)
  return address => {
    const network = networkOf(address)
    const known = counts.get(network)
    const current = known && clock() < known.sinceMs + MINUTE_MS ? known : { count: 0, sinceMs: clock() }
    if (current.count >= max) return false
    const next = { ...current, count: current.count + 1 }
    counts.set(network, next, memoryOf(next))
    return true
  }
}

const MINUTE_MS = 60_000
