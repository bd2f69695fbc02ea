import { totalmem } from 'node:os'
import { constrainedMemory } from 'node:process'

/** The places of busy processes, for which pools take turns. */
export type ProcessSlots = {
  /** Whether one more process may work. */
  isFree: () => boolean
  /** Whether a new process needs the memory of an idle one. */
  isFull: (idle: number) => boolean
  /** Calls a pool once a place is free, after pools which have waited longer. */
  wait: (wake: () => void) => void
  take: () => void
  leave: () => void
  /** Calls waiting pools while places are free. A pool calls this after `leave`, unless it takes the place again. */
  wakeNext: () => void
}

export function openSlots(maxProcesses: number): ProcessSlots {
  const waiting = new Set<() => void>()
  let busy = 0
  const isFree = () => busy < maxProcesses
  return {
    isFree,
    isFull: idle => busy + idle >= maxProcesses,
    wait: wake => void waiting.add(wake),
    take: () => void busy++,
    leave: () => void busy--,
    wakeNext: () => {
      for (const wake of [...waiting]) {
        if (!isFree()) return
        waiting.delete(wake)
        wake()
      }
    },
  }
}

/** The number of child processes that fit into the memory of a machine or container next to the service: at least one. */
export function processesIn(memoryBytes: number): number {
  return Math.max(1, Math.floor((memoryBytes - OWN_BYTES) / CHILD_BYTES))
}

/** The memory for one child process in MiB: as much as wanted, or the rest that the service leaves. */
export function childMegabytes(wanted: number, memory = memoryBytes()): number {
  return Math.min(wanted, Math.floor(Math.max(CHILD_BYTES, memory - OWN_BYTES) / (1 << 20)))
}

/** The memory of the service process under load, and of a typical child process. */
const OWN_BYTES = 160 << 20
const CHILD_BYTES = 96 << 20

/** The places of all pools of this process, so that together they do not exceed a container that each of them fits into. */
export const sharedSlots = openSlots(processesIn(memoryBytes()))

/** The limit of the container, if it has one, or the memory of the machine. */
function memoryBytes(): number {
  const limit = constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}
