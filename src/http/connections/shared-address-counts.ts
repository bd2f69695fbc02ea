import { randomInt } from 'node:crypto'
import { lockMemory, openLock } from '../../threads/lock.ts'
import { type NamesMemory, namesMemory, openNames } from '../../threads/names.ts'
import type { AddressCounts } from './address-cap.ts'

/** What threads share to count the connections of addresses together. */
export type AddressMemory = { lock: SharedArrayBuffer; names: NamesMemory; counts: SharedArrayBuffer; threads: number }

/** Memory for as many connections as the threads may have together: no more addresses can have one. */
export function addressMemory(threads: number, connections: number): AddressMemory {
  return {
    lock: lockMemory(),
    names: namesMemory(connections, randomInt(2 ** 32)),
    counts: new SharedArrayBuffer((connections + 1) * threads * Uint32Array.BYTES_PER_ELEMENT),
    threads,
  }
}

/** The counts, for threads that are numbered from 1 on. */
export type SharedAddressCounts = AddressCounts & {
  /** To be called when another thread has ended: its connections are closed. */
  ended: (thread: number) => void
}

/**
 * Counts connections of addresses over all threads. If a thread is ended while it counts, which takes it less than a
 * microsecond, all counts begin anew.
 */
export function sharedAddressCounts({ threads, ...memory }: AddressMemory, thread: number): SharedAddressCounts {
  const [lock, names] = [openLock(memory.lock, thread), openNames(memory.names)]
  const counts = new Uint32Array(memory.counts)
  const sum = (row: number) => {
    let total = 0
    for (let at = row * threads; at < (row + 1) * threads; at++) total += counts[at] ?? 0
    return total
  }
  const locked = <Value>(work: () => Value): Value => {
    lock.take()
    try {
      return work()
    } finally {
      lock.free()
    }
  }
  const set = (row: number, of: number, count: number) => {
    counts[row * threads + of - 1] = count
    if (count === 0 && sum(row) === 0) names.remove(row)
  }
  return {
    add: address =>
      locked(() => {
        const row = names.find(address) || names.add(address)
        if (row === 0) return 0
        const at = row * threads + thread - 1
        counts[at] = (counts[at] ?? 0) + 1
        return sum(row)
      }),
    remove: address =>
      locked(() => {
        const row = names.find(address)
        const count = counts[row * threads + thread - 1] ?? 0
        if (row > 0 && count > 0) set(row, thread, count - 1)
      }),
    ended: ended => {
      lock.ended(ended, () => {
        names.clear()
        counts.fill(0)
      })
      locked(() => {
        for (let row = 1; row <= names.used(); row++)
          if ((counts[row * threads + ended - 1] ?? 0) > 0) set(row, ended, 0)
      })
    },
  }
}
