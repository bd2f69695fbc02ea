/**
 * A lock in memory that threads share, for work that takes a few microseconds at most. A thread that finds it taken tries
 * again for a moment, and then sleeps: the one that has it may be waiting for a processor.
 */
export type SharedLock = {
  take: () => void
  free: () => void
  /**
   * To be called when a thread has ended: if it had the lock, `repair` is called, which may trust nothing that the lock
   * guards, and the lock is free.
   */
  ended: (thread: number, repair: () => void) => void
}

/** Memory for a lock that is free. */
export function lockMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
}

/** The lock in this memory, for the thread with this number, which no other has and which is not 0. */
export function openLock(memory: SharedArrayBuffer, thread: number): SharedLock {
  const word = new Int32Array(memory)
  const take = () => {
    for (let tries = 1; Atomics.compareExchange(word, 0, FREE, thread) !== FREE; tries++) {
      const holder = tries % SPINS === 0 ? Atomics.load(word, 0) : FREE
      if (holder !== FREE) Atomics.wait(word, 0, holder, SLEEP_MS)
    }
  }
  return {
    take,
    free: () => void Atomics.store(word, 0, FREE),
    ended: (ended, repair) => {
      if (Atomics.compareExchange(word, 0, ended, thread) !== ended) return
      repair()
      Atomics.store(word, 0, FREE)
    },
  }
}

const FREE = 0
const SPINS = 200
const SLEEP_MS = 1
