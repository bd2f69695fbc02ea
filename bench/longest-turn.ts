import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * The most processor time that one turn of the event loop takes while work is done, in milliseconds: how long others wait
 * at most on a machine that has nothing else to do. What is done in other threads and processes is not in it, and the
 * collection of garbage is.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let isDone = false
  let longest = 0
  const done = work().finally(() => {
    isDone = true
  })
  for (let before = threadMs(); !isDone; ) {
    await nextTurn()
    const now = threadMs()
    longest = Math.max(longest, now - before)
    before = now
  }
  await done
  return longest
}

/** The processor time of this thread. Linux counts what it has had when it waits, and else in parts of up to 4 ms. */
export function threadMs(): number {
  Atomics.wait(NEVER, 0, 0, SHORTEST_MS)
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

const NEVER = new Int32Array(new SharedArrayBuffer(4))
const SHORTEST_MS = 0.001
