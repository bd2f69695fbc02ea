import type { ChildProcess } from 'node:child_process'
import type { Result } from '../base/result.ts'
import type { Cause } from './failure.ts'
import type { Work } from './queue.ts'
import type { SandboxedProcess } from './sandbox.ts'

/** An answer, or the limit that the task exceeded: twice, the second time in a separate process, or in all its time. */
export type Outcome<Answer> = Result<Answer, 'time' | 'memory'>

/** A task in the queue or in a process, its time limit, and the causes of earlier failures. */
export type Job<Task, Answer> = Work & {
  task: Task
  timeoutMs: number
  causes: Cause[]
  waitTimer?: NodeJS.Timeout
  receive?: (message: unknown) => Answer | undefined
  resolve: (outcome: Outcome<Answer>) => void
  reject: (reason: unknown) => void
}

/**
 * A pool process, and the jobs sent to it; it runs the first one, since `beganMs`. `timer` ends the process.
 */
export type Worker<Job> = {
  process: SandboxedProcess
  jobs: Job[]
  beganMs: number
  hasAnswered: boolean
  timer?: NodeJS.Timeout
}

/** Whether a job has run long enough to justify another process. */
export function isSlow<Job>({ jobs, beganMs, hasAnswered }: Worker<Job>, scaleUpAfterMs: number | undefined): boolean {
  if (scaleUpAfterMs === undefined) return true
  const limitMs = scaleUpAfterMs + (hasAnswered ? 0 : START_MS)
  return jobs.length > 0 && performance.now() - beganMs >= limitMs
}

/** The time that a process needs to start. */
const START_MS = 1000

/** The time that a process may take to start: on a busy machine, it needs seconds. */
export const MAX_START_MS = 30_000

/** Resolves when the message is sent, or if the process has exited, which is handled elsewhere. */
export function send(child: ChildProcess, message: object): Promise<void> {
  return new Promise(resolve => {
    if (child.connected) child.send(message, () => resolve())
    else resolve()
  })
}
