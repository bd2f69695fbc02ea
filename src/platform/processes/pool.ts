import { failed as failedWith, ok } from '../base/result.ts'
import { type Cause, isTaskFault, ProcessFailed, QueueFull } from './failure.ts'
import { countIdle, giveIdle, makeRoom, takeIdle } from './idle.ts'
import { type ProcessSlots, sharedSlots } from './process-slots.ts'
import { isCodeReplaced, registerProgram } from './program-code.ts'
import type { Work } from './queue.ts'
import { kill, REPORT_MS, type SandboxedProcess, setKeepAlive, startSandboxed } from './sandbox.ts'
import {
  isOver,
  isSlow,
  type Job,
  MAX_START_MS,
  type Outcome,
  type PoolOptions,
  send,
  type TimeBudget,
  usedMs,
  type Worker,
} from './worker.ts'

/** The current use of a pool: its busy processes, the idle ones of its program, and waiting tasks. */
export type PoolUsage = { task: string; busy: number; idle: number; waiting: number }

/** The use, the start and the end of a pool, which its owner passes on. */
export type OpenPool = { usage: () => PoolUsage; warm: () => void; close: () => Promise<void> }

type PoolWorker<Task, Answer> = Worker<Job<Task, Answer>>

/**
 * A pool of child processes for untrusted input, started on demand while memory for one more is left. If a process takes
 * too long or exits, its first job is retried once, alone in a new process; other jobs are not affected. Idle processes do
 * not keep the parent alive, end after `idleMs` or if others need their memory, and until then work for any pool of the
 * same program.
 */
export class Pool<Task, Answer> {
  readonly #options: PoolOptions<Task, Answer>
  readonly #program: URL
  /** Each has at least one job. */
  readonly #workers = new Set<PoolWorker<Task, Answer>>()
  /** Processes with the same program and options are interchangeable. */
  readonly #kind: string
  readonly #slots: ProcessSlots
  readonly #wake = () => this.#startNext()
  readonly open: OpenPool = { usage: () => this.usage(), warm: () => this.warm(), close: () => this.close() }
  #isClosed = false
  #launchTimer: NodeJS.Timeout | undefined

  constructor(options: PoolOptions<Task, Answer>) {
    this.#options = options
    this.#slots = options.slots ?? sharedSlots
    this.#program = registerProgram(options.program)
    this.#kind = [this.#program, options.lowerBy, ...options.execArgv].join(' ')
  }

  /**
   * Runs a task. `work` gives its author and its size in the queue; `budget` replaces the time limit of the options.
   *
   * @throws {QueueFull} if the queue of this author is full, or the task waited for `maxWaitMs` or lost its place
   * @throws {ProcessFailed} if the task failed twice, at least once for a reason outside it
   * @throws if `messages` throws, or the pool was closed
   */
  run(
    task: Task,
    work: Work = { author: '', size: 0 },
    budget: TimeBudget = { leftMs: this.#options.timeoutMs },
  ): Promise<Outcome<Answer>> {
    if (this.#isClosed) return Promise.reject(this.#closed())
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        clearTimeout(job.waitTimer)
        reject(new QueueFull())
      }
      const job: Job<Task, Answer> = { ...work, task, budget, causes: [], resolve, reject, giveUp }
      const { queue } = this.#options
      if (!queue.add(job)) return giveUp()
      const { maxWaitMs } = work
      if (maxWaitMs !== undefined) job.waitTimer = setTimeout(() => queue.remove(job) && giveUp(), maxWaitMs)
      this.#startNext()
    })
  }

  usage(): PoolUsage {
    const { name, queue } = this.#options
    return { task: name, busy: this.#workers.size, idle: countIdle(this.#kind), waiting: queue.count() }
  }

  /** Starts an idle process if memory for one is left, so that the first task need not wait for it. */
  warm(): void {
    if (countIdle(this.#kind) > 0 || !this.#slots.isFree() || this.#slots.isFull(countIdle())) return
    try {
      giveIdle(this.#kind, startSandboxed(this.#program, this.#options), this.#options.idleMs)
    } catch {
      // The first task starts one, and reports what fails.
    }
  }

  /** Ends busy processes. Rejects running and waiting tasks. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#launchTimer)
    const children = [...this.#workers].map(worker => worker.process.child)
    const jobs = [...this.#workers].flatMap(worker => this.#drop(worker))
    for (const job of [...jobs, ...this.#options.queue.clear()]) {
      clearTimeout(job.waitTimer)
      job.reject(this.#closed())
    }
    this.#slots.wakeNext()
    await Promise.all(children.map(kill))
  }

  #startNext(): void {
    while (this.#mayLaunch() || this.#available().length > 0) {
      const job = this.#options.queue.take([...this.#workers].flatMap(({ jobs }) => jobs))
      if (!job) return
      this.#begin(job, () => this.#leastBusy())
    }
    if (this.#options.queue.count() > 0 && !this.#slots.isFree()) this.#slots.wait(this.#wake)
    this.#scheduleLaunch()
  }

  /** Lets other pools take the place of an ended or idle process, before this one does. */
  #startOthers(): void {
    this.#slots.wakeNext()
    this.#startNext()
  }

  #mayLaunch(): boolean {
    return (
      this.#workers.size < this.#options.maxProcesses &&
      this.#slots.isFree() &&
      (countIdle(this.#kind) > 0 || [...this.#workers].every(worker => isSlow(worker, this.#options.scaleUpAfterMs)))
    )
  }

  /** Starts another process for waiting jobs once every process is slow. */
  #scheduleLaunch(): void {
    const { queue, maxProcesses, scaleUpAfterMs } = this.#options
    clearTimeout(this.#launchTimer)
    if (scaleUpAfterMs === undefined || queue.count() === 0 || this.#workers.size === maxProcesses) return
    this.#launchTimer = setTimeout(() => this.#startNext(), scaleUpAfterMs).unref()
  }

  /** The processes that can take another job. A process that retries a job takes no other. */
  #available(): PoolWorker<Task, Answer>[] {
    const { maxTasksEach } = this.#options
    return [...this.#workers].filter(
      ({ jobs }) => jobs.length < maxTasksEach && jobs.every(job => job.causes.length === 0),
    )
  }

  /** An idle or new process if the limit allows it, or the one with the fewest jobs. */
  #leastBusy(): PoolWorker<Task, Answer> {
    const [least] = this.#available().sort((a, b) => a.jobs.length - b.jobs.length)
    return !least || this.#mayLaunch() ? this.#launch(takeIdle(this.#kind)) : least
  }

  /** Assigns a job to a process. The job fails if none can be started. */
  #begin(job: Job<Task, Answer>, find: () => PoolWorker<Task, Answer>): void {
    try {
      this.#assign(find(), job)
    } catch (error) {
      const { name, failed } = this.#options
      const cause = isCodeReplaced(error) ? 'replaced' : 'not-run'
      failed?.({ task: name, author: job.author, cause }, error)
      job.reject(new ProcessFailed(`no process for ${name} can be started (${cause})`, { cause: error }))
    }
  }

  #assign(worker: PoolWorker<Task, Answer>, job: Job<Task, Answer>): void {
    clearTimeout(job.waitTimer)
    job.receive = this.#options.receive?.(job.task) ?? (message => (isAnswer<Answer>(message) ? message : undefined))
    worker.jobs.push(job)
    if (worker.jobs.length === 1) {
      setKeepAlive(worker.process.child, true)
      this.#watchJob(worker, job)
    }
    void this.#sendTask(worker, job)
  }

  async #sendTask(worker: PoolWorker<Task, Answer>, job: Job<Task, Answer>): Promise<void> {
    try {
      for await (const message of this.#options.messages(job.task)) {
        if (!worker.jobs.includes(job)) return
        await send(worker.process.child, message)
      }
    } catch (error) {
      if (!worker.jobs.includes(job)) return
      this.#options.queue.putBack(this.#drop(worker).filter(other => other !== job))
      job.reject(error)
      this.#startOthers()
    }
  }

  #handleMessage(worker: PoolWorker<Task, Answer>, message: unknown): void {
    const [job] = worker.jobs
    if (this.#options.saysReady && message === 'ready' && !worker.hasAnswered) {
      worker.hasAnswered = true
      if (job) this.#watchJob(worker, job)
      return
    }
    const value = job?.receive?.(message)
    if (!job || value === undefined) return
    this.#spend(job, usedMs(worker))
    worker.jobs.shift()
    job.resolve(ok(value))
    const [next] = worker.jobs
    worker.hasAnswered = true
    if (next) this.#watchJob(worker, next)
    else this.#idle(worker)
    this.#startOthers()
  }

  #watchJob(worker: PoolWorker<Task, Answer>, { budget }: Job<Task, Answer>): void {
    worker.beganMs = performance.now()
    worker.usedBeforeMs = worker.process.usedMs
    const startMs = this.#options.saysReady && !worker.hasAnswered ? MAX_START_MS : 0
    this.#endLater(worker, budget.leftMs + startMs, 0)
  }

  /** Ends a process once it is over its limit. It cannot be earlier than when it has used the rest of its time. */
  #endLater(worker: PoolWorker<Task, Answer>, limitMs: number, waitedMs: number): void {
    clearTimeout(worker.timer)
    const waitMs = Math.max(REPORT_MS, limitMs - usedMs(worker))
    worker.timer = setTimeout(() => {
      if (isOver(worker, limitMs, waitedMs + waitMs)) this.#fail(worker, 'time')
      else this.#endLater(worker, limitMs, waitedMs + waitMs)
    }, waitMs)
  }

  #spend({ budget }: Job<Task, Answer>, spentMs: number): void {
    if (this.#options.isTotalTime) budget.leftMs -= spentMs
  }

  #idle(worker: PoolWorker<Task, Answer>): void {
    clearTimeout(worker.timer)
    this.#workers.delete(worker)
    this.#slots.leave()
    giveIdle(this.#kind, worker.process, this.#options.idleMs)
  }

  #fail(worker: PoolWorker<Task, Answer>, cause: Cause, error?: Error): void {
    const [job, ...others] = this.#drop(worker)
    this.#options.queue.putBack(others)
    if (job) {
      this.#spend(job, cause === 'time' ? Infinity : usedMs(worker))
      this.#retry(job, cause, error)
    }
    this.#startOthers()
  }

  #retry(job: Job<Task, Answer>, cause: Cause, error?: Error): void {
    const { name, failed } = this.#options
    failed?.({ task: name, author: job.author, cause }, error)
    const [before] = job.causes
    job.causes.push(cause)
    if (error) job.error = error
    if (before === undefined && job.budget.leftMs > 0) this.#begin(job, () => this.#launch())
    else if (isTaskFault(before ?? cause) && isTaskFault(cause)) job.resolve(failedWith(cause))
    else
      job.reject(new ProcessFailed(`the process for ${name} failed twice (${before}, ${cause})`, { cause: job.error }))
  }

  #drop(worker: PoolWorker<Task, Answer>): Job<Task, Answer>[] {
    if (!this.#workers.delete(worker)) return []
    this.#slots.leave()
    clearTimeout(worker.timer)
    void kill(worker.process.child)
    return worker.jobs.splice(0)
  }

  #launch(idle?: SandboxedProcess): PoolWorker<Task, Answer> {
    if (!idle) makeRoom(this.#slots.isFull)
    const process = idle ?? startSandboxed(this.#program, this.#options)
    const worker = { process, jobs: [], beganMs: 0, usedBeforeMs: 0, hasAnswered: idle !== undefined }
    process.listeners = {
      message: message => this.#handleMessage(worker, message),
      exited: (cause, error) => this.#fail(worker, cause, error),
    }
    this.#workers.add(worker)
    this.#slots.take()
    return worker
  }

  #closed(): Error {
    return new Error(`the processes for ${this.#options.name} were closed`)
  }
}

/** The program of a pool sends only answers. */
export function isAnswer<Answer>(message: unknown): message is Answer {
  return typeof message === 'object' && message !== null
}
