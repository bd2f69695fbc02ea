import type { ChildProcess } from 'node:child_process'
import { extname } from 'node:path'
import { kill, setWaitedFor, startConfined } from '../processes/confined.ts'
import type { MediaAnswer, MediaTask } from './media-task.ts'

type Job = { task: MediaTask; resolve: (answer: MediaAnswer) => void; reject: (reason: Error) => void }

/** A process, and the jobs that it was sent, in their order: it is at the first of them. */
type Worker = { child: ChildProcess; jobs: Job[]; timer?: NodeJS.Timeout }

/** How many jobs a process is sent ahead, so that it never waits for the next. */
const AHEAD = 16

/**
 * Processes that parse fonts and pictures, one file at a time each. One that is slower than the limit is killed; the
 * next file gets a new one. Idle ones do not keep this process alive, and end with it.
 */
export class MediaProcesses {
  readonly #timeoutMs: number
  readonly #most: number
  readonly #workers = new Set<Worker>()
  readonly #waiting: Job[] = []
  #isClosed = false

  constructor(timeoutMs: number, most: number) {
    this.#timeoutMs = timeoutMs
    this.#most = most
  }

  /** Has one file read. The time limit counts from when a process takes it up. */
  run(task: MediaTask): Promise<MediaAnswer> {
    if (this.#isClosed) return Promise.reject(closed())
    return new Promise((resolve, reject) => {
      this.#waiting.push({ task, resolve, reject })
      this.#startNext()
    })
  }

  /** Ends all processes; what is being read or waits is rejected. */
  async close(): Promise<void> {
    this.#isClosed = true
    const workers = [...this.#workers]
    this.#workers.clear()
    for (const { timer } of workers) clearTimeout(timer)
    for (const job of [...workers.flatMap(({ jobs }) => jobs.splice(0)), ...this.#waiting.splice(0)])
      job.reject(closed())
    await Promise.all(workers.map(({ child }) => kill(child)))
  }

  /** Gives what waits to the process that has least to do, or to a new one where all have something and more may run. */
  #startNext(): void {
    while (this.#waiting.length > 0) {
      let worker = [...this.#workers].sort((a, b) => a.jobs.length - b.jobs.length)[0]
      if (!worker || (worker.jobs.length > 0 && this.#workers.size < this.#most)) worker = this.#launch()
      if (worker.jobs.length >= AHEAD) return
      const job = this.#waiting.shift()
      if (job) this.#send(worker, job)
    }
  }

  #send(worker: Worker, job: Job): void {
    worker.jobs.push(job)
    if (worker.jobs.length === 1) {
      setWaitedFor(worker.child, true)
      this.#limit(worker)
    }
    worker.child.send(job.task, () => {}) // Where it cannot be sent, the process has ended, which is heard of.
  }

  #limit(worker: Worker): void {
    clearTimeout(worker.timer)
    worker.timer = setTimeout(
      () => this.#end(worker, job => job.resolve({ problem: tooSlow(this.#timeoutMs) })),
      this.#timeoutMs,
    )
  }

  #answered(worker: Worker, answer: MediaAnswer): void {
    if (!this.#workers.has(worker)) return // It was given up while it answered.
    worker.jobs.shift()?.resolve(answer)
    if (worker.jobs.length > 0) {
      this.#limit(worker)
    } else {
      clearTimeout(worker.timer)
      setWaitedFor(worker.child, false)
    }
    this.#startNext()
  }

  /** Gives a process up with the job that it is at; the others that it was sent get another. */
  #end(worker: Worker, settle: (job: Job) => void): void {
    if (!this.#workers.delete(worker)) return
    clearTimeout(worker.timer)
    void kill(worker.child)
    const [job, ...others] = worker.jobs.splice(0)
    this.#waiting.unshift(...others)
    if (job) settle(job)
    this.#startNext()
  }

  #launch(): Worker {
    // The same extension as this file: .ts in development, .js where it was built.
    const program = new URL(`./media-process${extname(import.meta.url)}`, import.meta.url)
    const limits = ['--max-old-space-size=256', '--max-semi-space-size=4']
    const child = startConfined(
      program,
      { execArgv: limits, serialization: 'json' },
      {
        message: message => isAnswer(message) && this.#answered(worker, message),
        notRun: cause => this.#end(worker, job => job.reject(new Error(NOT_RUN, { cause }))),
        ended: () => this.#end(worker, job => job.resolve({ problem: CRASHED })),
      },
    )
    const worker: Worker = { child, jobs: [] }
    this.#workers.add(worker)
    return worker
  }
}

const NOT_RUN = 'cannot run the process that reads fonts and pictures'
const CRASHED = 'it is damaged, or needs too much memory; export it again'

function tooSlow(timeoutMs: number): string {
  return `it takes longer than ${timeoutMs / 1000} s; export it again`
}

function closed(): Error {
  return new Error('cannot read the file: its reader was closed')
}

/** Whether a message is what `media-process.ts` sends: it sends nothing else. */
function isAnswer(message: unknown): message is MediaAnswer {
  return typeof message === 'object' && message !== null
}
