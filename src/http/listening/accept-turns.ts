import type { Server } from 'node:net'

/**
 * Has threads that listen on one socket take about as many connections each. The system wakes all of them for each
 * connection, and whichever has a processor takes it: in a burst one thread may take nearly all. So a thread that has far
 * more than another waits a moment after it has taken one, and leaves its processor to the other. If the other takes none,
 * because it is busy or nothing is left, the thread does not wait for a while, which is longer each time.
 *
 * `counts` holds how many connections each thread has, or -1 if there is no such thread now; `thread` is a place in it.
 */
export function takeTurns(server: Server, counts: Int32Array, thread: number): void {
  let [patientFromMs, impatientMs] = [Number.NEGATIVE_INFINITY, LEAST_IMPATIENT_MS]
  Atomics.store(counts, thread, 0)
  server.on('connection', socket => {
    const own = Atomics.add(counts, thread, 1) + 1
    Atomics.notify(counts, thread)
    socket.once('close', () => Atomics.sub(counts, thread, 1))
    const { least, others } = leastOf(counts, thread)
    if (own <= least * FAR_TIMES + FAR_MORE || performance.now() < patientFromMs) return
    const isTaken = Atomics.wait(counts, others, least, TURN_MS) !== 'timed-out'
    impatientMs = isTaken ? LEAST_IMPATIENT_MS : Math.min(MOST_IMPATIENT_MS, impatientMs * 2)
    if (!isTaken) patientFromMs = performance.now() + impatientMs
  })
}

/** The thread that has the fewest, and how many it has. */
function leastOf(counts: Int32Array, thread: number): { least: number; others: number } {
  let [least, others] = [Number.POSITIVE_INFINITY, thread]
  for (let at = 0; at < counts.length; at++) {
    const count = Atomics.load(counts, at)
    if (at !== thread && count >= 0 && count < least) [least, others] = [count, at]
  }
  return { least, others }
}

/** Of 32 connections two threads then have at least eleven each, and of more at least two of five. */
const FAR_TIMES = 1.5
const FAR_MORE = 4
const TURN_MS = 4
/** It waits at most for a tenth of its time, and hardly if that is in vain again and again. */
const LEAST_IMPATIENT_MS = 20
const MOST_IMPATIENT_MS = 1000
