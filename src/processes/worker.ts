import type { ChildProcess } from 'node:child_process'
import { cpuMs, type SandboxedProcess } from './sandbox.ts'

/**
 * A pool process, and the jobs sent to it; it runs the first one. `began` has the start time of that job and the CPU
 * time used before it, in milliseconds. `timer` ends the process.
 */
export type Worker<Job> = {
  process: SandboxedProcess
  jobs: Job[]
  began: { atMs: number; usedMs: number }
  hasAnswered: boolean
  timer?: NodeJS.Timeout
}

/**
 * Calls `failed` if the current job exceeds its CPU time. A wall-clock limit would make jobs fail on a busy machine.
 */
export function watchJob<Job>(
  worker: Worker<Job>,
  timeoutMs: number,
  failed: (cause: 'time' | 'stopped') => void,
): void {
  const { pid } = worker.process.child
  const before = cpuMs(pid)
  let [last, ranMs] = [0, performance.now()]
  worker.began = { atMs: ranMs, usedMs: before }
  const check = () => {
    const [used, nowMs] = [cpuMs(pid) - before, performance.now()]
    if (!(used < timeoutMs)) return failed('time')
    if (used > last) [last, ranMs] = [used, nowMs]
    if (nowMs - ranMs > timeoutMs * MAX_STALL_FACTOR) return failed('stopped')
    worker.timer = setTimeout(check, Math.max(timeoutMs - used, timeoutMs / 10))
  }
  clearTimeout(worker.timer)
  worker.timer = setTimeout(check, timeoutMs)
}

/** A process may go without any CPU time for this many times the limit of its job, in wall-clock time. */
const MAX_STALL_FACTOR = 3

/**
 * Whether a job has run long enough to justify another process: measured in CPU time, because a busy machine slows down
 * everything, or in wall-clock time if the process gets little CPU time.
 */
export function isSlow<Job>(
  { process, jobs, began, hasAnswered }: Worker<Job>,
  scaleUpAfterMs: number | undefined,
): boolean {
  if (scaleUpAfterMs === undefined) return true
  const limitMs = scaleUpAfterMs + (hasAnswered ? 0 : START_MS)
  const ranMs = performance.now() - began.atMs
  if (jobs.length === 0 || ranMs < limitMs) return false
  return ranMs > limitMs * SLOW_STALL_FACTOR || !(cpuMs(process.child.pid) - began.usedMs < limitMs)
}

/** The time that a process needs to start. */
const START_MS = 1000
const SLOW_STALL_FACTOR = 4

/** Resolves when the message is sent, or if the process has exited, which is handled elsewhere. */
export function send(child: ChildProcess, message: object): Promise<void> {
  return new Promise(resolve => {
    if (child.connected) child.send(message, () => resolve())
    else resolve()
  })
}
