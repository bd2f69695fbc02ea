import { hash } from 'node:crypto'
import type { MaybePromise } from '#platform/base/promise.ts'
import type { CacheName, Caches } from '#platform/caches/caches.ts'
import { memoryOf } from '#platform/caches/memory.ts'
import { networkOf } from '#platform/exchange/ip-address.ts'

/** Counts an action of an address, and returns whether it is within the limit. */
export type AddressThrottle = (address: string) => boolean

/** Limits an action to `max` per minute and network of addresses. `clock` returns milliseconds. */
export function openAddressThrottle(
  clock: () => number,
  caches: Caches,
  name: 'authorizations' | 'client-fetches',
  max: number,
): AddressThrottle {
  const counter = openCounter(clock, caches, name, max)
  return address => {
    const network = networkOf(address)
    const isWithin = counter.secondsLeft(network) === 0
    if (isWithin) counter.add(network)
    return isWithin
  }
}

/** Limits failed logins by client and by address network, to prevent guessing secrets. */
export type LoginThrottle<Seconds extends MaybePromise<number> = MaybePromise<number>> = {
  /** Counts a failed login and returns 0. Beyond the limits, counts nothing and returns the seconds to wait. */
  countFailure: (client: string, address: string) => Seconds
}

export function openLoginThrottle(clock: () => number, caches: Caches): LoginThrottle<number> {
  const addresses = openCounter(clock, caches, 'failed-addresses', MAX_FAILURES.address)
  const clients = openCounter(clock, caches, 'failed-clients', MAX_FAILURES.client)
  return {
    countFailure: (client, address) => {
      // Clients may send ids of any length, so only hashes are kept.
      const network = networkOf(address)
      const id = hash('sha256', client)
      const seconds = Math.max(addresses.secondsLeft(network), clients.secondsLeft(id))
      if (seconds > 0) return seconds
      addresses.add(network)
      clients.add(id)
      return 0
    },
  }
}

const MAX_FAILURES = { address: 20, client: 60 }

/** Counts by key in windows of a minute from the first action. If memory is short, the oldest counts are dropped. */
function openCounter(clock: () => number, caches: Caches, name: CacheName, max: number) {
  const counts = caches.open<{ count: number; sinceMs: number }>(name)
  const current = (key: string) => {
    const kept = counts.get(key)
    return kept && clock() < kept.sinceMs + MINUTE_MS ? kept : { count: 0, sinceMs: clock() }
  }
  return {
    /** The whole seconds until the next action is within the limit; 0 if it is now. */
    secondsLeft: (key: string) => {
      const { count, sinceMs } = current(key)
      return count < max ? 0 : Math.ceil((sinceMs + MINUTE_MS - clock()) / 1000)
    },
    add: (key: string) => {
      const { count, sinceMs } = current(key)
      const next = { count: count + 1, sinceMs }
      counts.set(key, next, memoryOf(next))
    },
  }
}

const MINUTE_MS = 60_000
