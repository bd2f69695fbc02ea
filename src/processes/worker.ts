import type { ChildProcess } from 'node:child_process'
import type { SandboxedProcess } from './sandbox.ts'

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

/** Resolves when the message is sent, or if the process has exited, which is handled elsewhere. */
export function send(child: ChildProcess, message: object): Promise<void> {
  return new Promise(resolve => {
    if (child.connected) child.send(message, () => resolve())
    else resolve()
  })
}
