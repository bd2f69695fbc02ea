import type { ChildProcess } from 'node:child_process'
import { cpuMs } from './sandbox.ts'

/**
 * A process of a pool, the jobs that it was sent (it runs the first), when it began this one and how much processor time it
 * had used by then, both in milliseconds, and the timer that ends it.
 */
export type Worker<Job> = {
  child: ChildProcess
  jobs: Job[]
  began: { atMs: number; usedMs: number }
  hasAnswered: boolean
  timer?: NodeJS.Timeout
}

/**
 * Notes that a process begins a job, and says so if the job exceeds its processor time. Time by the clock would make jobs
 * fail when the machine is busy.
 */
export function watchJob<Job>(
  worker: Worker<Job>,
  timeoutMs: number,
  failed: (cause: 'time' | 'stopped') => void,
): void {
  const { pid } = worker.child
  const before = cpuMs(pid)
  let [last, ranMs] = [0, performance.now()]
  worker.began = { atMs: ranMs, usedMs: before }
  const check = () => {
    const [used, nowMs] = [cpuMs(pid) - before, performance.now()]
    if (!(used < timeoutMs)) return failed('time')
    if (used > last) [last, ranMs] = [used, nowMs]
    if (nowMs - ranMs > timeoutMs * MAX_REST_FACTOR) return failed('stopped')
    worker.timer = setTimeout(check, Math.max(timeoutMs - used, timeoutMs / 10))
  }
  clearTimeout(worker.timer)
  worker.timer = setTimeout(check, timeoutMs)
}

/** By the clock, a process may go without any processor time for this many times the limit of its job. */
const MAX_REST_FACTOR = 3

/**
 * Whether a process has been at its job for so long that others get one beside it: by processor time, as a busy machine
 * slows down all, or by the clock if it gets little of that.
 */
export function isSlow<Job>(
  { child, jobs, began, hasAnswered }: Worker<Job>,
  scaleUpAfterMs: number | undefined,
): boolean {
  if (scaleUpAfterMs === undefined) return true
  const limitMs = scaleUpAfterMs + (hasAnswered ? 0 : START_MS)
  const ranMs = performance.now() - began.atMs
  if (jobs.length === 0 || ranMs < limitMs) return false
  return ranMs > limitMs * SLOW_REST_FACTOR || !(cpuMs(child.pid) - began.usedMs < limitMs)
}

/** What a process takes to start. */
const START_MS = 1000
const SLOW_REST_FACTOR = 4

/** Resolves when the message was sent, or if the process has exited, which is handled elsewhere. */
export function send(child: ChildProcess, message: object): Promise<void> {
  return new Promise(resolve => {
    if (child.connected) child.send(message, () => resolve())
    else resolve()
  })
}
