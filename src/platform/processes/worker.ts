import type { ChildProcess } from 'node:child_process'
import type { Result } from '../base/result.ts'
import type { Cause, Failure } from './failure.ts'
import type { ProcessSlots } from './process-slots.ts'
import type { Queue, Work } from './queue.ts'
import type { ProcessOptions, SandboxedProcess } from './sandbox.ts'

export type PoolOptions<Task, Answer> = ProcessOptions & {
  name: string
  /** With or without its extension. */
  program: URL
  /** The processor time that a task may take (`TimeBudget`). */
  timeoutMs: number
  /**
   * The time is for both tries together, and for all tasks with the same budget. A task that takes all of it in the first
   * try is not tried again.
   */
  isTotalTime?: boolean
  /** The program sends `ready` once it is loaded, and the time of its first task counts from then. */
  saysReady?: boolean
  /** The time to keep an idle process; a second one is kept for at most a few seconds. */
  idleMs: number
  maxProcesses: number
  /**
   * Starts another process only when each existing one has worked on a task for this many milliseconds. A slow task
   * then no longer delays others, and one fast process stays alone. Default: immediately.
   */
  scaleUpAfterMs?: number
  /** The maximum number of tasks per process: the running one, and tasks sent in advance. */
  maxTasksEach: number
  queue: Queue<Job<Task, Answer>>
  messages: (task: Task) => Iterable<object> | AsyncIterable<object>
  /**
   * Creates a receiver for one task. It collects messages until the answer is complete, and never throws. Default: the
   * first object is the answer.
   */
  receive?: (task: Task) => (message: unknown) => Answer | undefined
  /** `error` comes from the ended process. */
  failed?: ((failure: Failure, error?: unknown) => void) | undefined
  /** Default: those of all pools. */
  slots?: ProcessSlots
}

/** The time limit of a task, and a function to call for each process failure. */
export type PoolLimits = Partial<Pick<PoolOptions<never, never>, 'timeoutMs' | 'failed'>>

/** An answer, or the limit that the task exceeded: twice, the second time in a separate process, or in all its time. */
export type Outcome<Answer> = Result<Answer, 'time' | 'memory'>

/**
 * The processor time that is left for a task, in milliseconds. On a busy machine, a task needs more by the clock, so that
 * a process gets `CLOCK_TIMES` as much of it: enough for a sound task, and an end for one that waits for nothing.
 */
export type TimeBudget = { leftMs: number }

/** A task in the queue or in a process, its time limit, and the causes and last error of earlier failures. */
export type Job<Task, Answer> = Work & {
  task: Task
  budget: TimeBudget
  causes: Cause[]
  error?: unknown
  waitTimer?: NodeJS.Timeout
  receive?: (message: unknown) => Answer | undefined
  resolve: (outcome: Outcome<Answer>) => void
  reject: (reason: unknown) => void
}

/**
 * A pool process, and the jobs sent to it. It runs the first one since `beganMs`, when it had used `usedBeforeMs` of
 * processor time. `timer` ends the process.
 */
export type Worker<Job> = {
  process: SandboxedProcess
  jobs: Job[]
  beganMs: number
  usedBeforeMs: number
  hasAnswered: boolean
  timer?: NodeJS.Timeout
}

export function isSlow<Job>({ jobs, beganMs, hasAnswered }: Worker<Job>, scaleUpAfterMs: number | undefined): boolean {
  if (scaleUpAfterMs === undefined) return true
  const limitMs = scaleUpAfterMs + (hasAnswered ? 0 : START_MS)
  return jobs.length > 0 && performance.now() - beganMs >= limitMs
}

/** The time that a process needs to start. */
const START_MS = 1000

/** The processor time that the first job of a process has used. */
export function usedMs<Job>({ process, usedBeforeMs }: Worker<Job>): number {
  return process.usedMs - usedBeforeMs
}

/** Whether a process has used its processor time for the first job, or `CLOCK_TIMES` as much by the clock (`waitedMs`). */
export function isOver<Job>(worker: Worker<Job>, limitMs: number, waitedMs: number): boolean {
  return usedMs(worker) >= limitMs || waitedMs >= CLOCK_TIMES * limitMs
}

/** How many times a limit of processor time a process may take by the clock. */
export const CLOCK_TIMES = 12

/** The processor time that a process may take to start: it needs half a second. */
export const MAX_START_MS = 15_000

/** Resolves when the message is sent, or if the process has exited, which is handled elsewhere. */
export function send(child: ChildProcess, message: object): Promise<void> {
  return new Promise(resolve => {
    if (child.connected) child.send(message, () => resolve())
    else resolve()
  })
}
