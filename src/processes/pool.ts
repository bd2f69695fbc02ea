import type { ChildProcess, SerializationType } from 'node:child_process'
import { failed as failedWith, ok, type Result } from '../base/result.ts'
import type { Queue, Work } from './queue.ts'
import { type ExitCause, kill, processorMs, setKeepsAlive, startSandboxed } from './sandbox.ts'

/** Why a process failed: because of its work (time, memory), or because of something outside of it. */
export type Cause = ExitCause | 'time' | 'stopped'

/** A process that failed: its task, whose work it was doing, and why. */
export type Failure = { task: string; author: string; cause: Cause }

/** An answer, or the limit that the work reached twice, the second time alone in a new process. */
export type Outcome<Answer> = Result<Answer, 'time' | 'memory'>

/** A piece of work failed twice, and not only by its own fault: it may be tried again later. */
export class ProcessFailed extends Error {}

/** The queue of one author is full. */
export class TooMuchWaiting extends Error {}

/** What a pool is made for. */
export type Kind<Task, Answer> = {
  /** The task as metrics name it. */
  name: string
  program: URL
  execArgv: readonly string[]
  serialization: SerializationType
  /** How much processor time a piece of work may take (three times as much by the clock), and how long an idle process is kept. */
  timeoutMs: number
  idleMs: number
  /** How many processes there are at most, and how many pieces of work each is sent in advance. */
  mostProcesses: number
  ahead: number
  queue: Queue<Job<Task, Answer>>
  /** The messages that a process is sent for a task. */
  messages: (task: Task) => Iterable<object> | AsyncIterable<object>
  /** Makes a receiver, which takes a process's messages in turn until they add up to an answer. It never throws. */
  receive: () => (message: unknown) => Answer | undefined
  /** Called for each process that failed. */
  failed: (failure: Failure) => void
}

/** A piece of work, and why it has failed before. */
export type Job<Task, Answer> = Work & {
  task: Task
  causes: Cause[]
  receive?: (message: unknown) => Answer | undefined
  resolve: (outcome: Outcome<Answer>) => void
  reject: (reason: unknown) => void
}

/** A process, the work it was sent, of which it does the first, and the timer that ends it. */
type Worker<Task, Answer> = { child: ChildProcess; jobs: Job<Task, Answer>[]; timer?: NodeJS.Timeout }

/**
 * Child processes for untrusted input, started when they are first needed. If one takes too long or exits, no other is
 * affected: its work is tried once more, alone in a new process. Idle ones do not keep this process alive, and are ended
 * after a while.
 */
export class Pool<Task, Answer> {
  readonly #kind: Kind<Task, Answer>
  readonly #workers = new Set<Worker<Task, Answer>>()
  #isClosed = false

  constructor(kind: Kind<Task, Answer>) {
    this.#kind = kind
  }

  /**
   * Runs a task; `work` says for whom, and how much room it takes while it waits.
   *
   * @throws {TooMuchWaiting} if too much of this author waits
   * @throws {ProcessFailed} if it failed twice, and something outside of it was a cause
   * @throws if `messages` throws, or `close` was called
   */
  run(task: Task, work: Work = { author: '', size: 0 }): Promise<Outcome<Answer>> {
    if (this.#isClosed) return Promise.reject(this.#closed())
    return new Promise((resolve, reject) => {
      if (!this.#kind.queue.add({ ...work, task, causes: [], resolve, reject })) return reject(new TooMuchWaiting())
      this.#startNext()
    })
  }

  /** Ends all processes; work that is running or waits is rejected. */
  async close(): Promise<void> {
    this.#isClosed = true
    const children = [...this.#workers].map(({ child }) => child)
    const jobs = [...this.#workers].flatMap(worker => this.#drop(worker))
    for (const job of [...jobs, ...this.#kind.queue.clear()]) job.reject(this.#closed())
    await Promise.all(children.map(kill))
  }

  #startNext(): void {
    while (this.#workers.size < this.#kind.mostProcesses || this.#open().length > 0) {
      const job = this.#kind.queue.take([...this.#workers].flatMap(({ jobs }) => jobs))
      if (!job) return
      this.#give(this.#leastBusy(), job)
    }
  }

  /** Processes that take more work: one that retries something gets nothing else. */
  #open(): Worker<Task, Answer>[] {
    const { ahead } = this.#kind
    return [...this.#workers].filter(({ jobs }) => jobs.length < ahead && jobs.every(job => job.causes.length === 0))
  }

  /** The process with the least to do, or a new one if all are busy and another may run. */
  #leastBusy(): Worker<Task, Answer> {
    const [least] = this.#open().sort((a, b) => a.jobs.length - b.jobs.length)
    const mayLaunch = this.#workers.size < this.#kind.mostProcesses
    return !least || (least.jobs.length > 0 && mayLaunch) ? this.#launch() : least
  }

  #give(worker: Worker<Task, Answer>, job: Job<Task, Answer>): void {
    job.receive = this.#kind.receive()
    worker.jobs.push(job)
    if (worker.jobs.length === 1) {
      setKeepsAlive(worker.child, true)
      this.#limit(worker)
    }
    void this.#sendTask(worker, job)
  }

  async #sendTask(worker: Worker<Task, Answer>, job: Job<Task, Answer>): Promise<void> {
    try {
      for await (const message of this.#kind.messages(job.task)) {
        if (!worker.jobs.includes(job)) return
        await send(worker.child, message)
      }
    } catch (error) {
      if (!worker.jobs.includes(job)) return
      this.#kind.queue.putBack(this.#drop(worker).filter(other => other !== job))
      job.reject(error)
      this.#startNext()
    }
  }

  #received(worker: Worker<Task, Answer>, message: unknown): void {
    const [job] = worker.jobs
    const value = job?.receive?.(message)
    if (value === undefined) return
    worker.jobs.shift()
    job?.resolve(ok(value))
    if (worker.jobs.length > 0) this.#limit(worker)
    else this.#idle(worker)
    this.#startNext()
  }

  #idle(worker: Worker<Task, Answer>): void {
    setKeepsAlive(worker.child, false)
    clearTimeout(worker.timer)
    worker.timer = setTimeout(() => this.#drop(worker), this.#kind.idleMs).unref()
  }

  /** Ends a process that reaches its limit of processor time, so that a busy machine makes no work fail by its own fault. */
  #limit(worker: Worker<Task, Answer>): void {
    const { timeoutMs } = this.#kind
    const { pid } = worker.child
    const [before, began] = [processorMs(pid), performance.now()]
    const look = () => {
      const used = processorMs(pid) - before
      if (!(used < timeoutMs)) return this.#fail(worker, 'time')
      if (performance.now() - began > timeoutMs * MAX_CLOCK_TIMES) return this.#fail(worker, 'stopped')
      worker.timer = setTimeout(look, Math.max(timeoutMs - used, timeoutMs / 10))
    }
    clearTimeout(worker.timer)
    worker.timer = setTimeout(look, timeoutMs)
  }

  #fail(worker: Worker<Task, Answer>, cause: Cause): void {
    const [job, ...others] = this.#drop(worker)
    this.#kind.queue.putBack(others)
    if (job) this.#tryAgain(job, cause)
    this.#startNext()
  }

  #tryAgain(job: Job<Task, Answer>, cause: Cause): void {
    const { name, failed } = this.#kind
    failed({ task: name, author: job.author, cause })
    const [before] = job.causes
    job.causes.push(cause)
    if (before === undefined) this.#give(this.#launch(), job)
    else if (isOwn(before) && isOwn(cause)) job.resolve(failedWith(cause))
    else job.reject(new ProcessFailed(`the process for ${name} failed twice (${before}, ${cause})`))
  }

  /** Ends a process, and gives back the work it was sent. */
  #drop(worker: Worker<Task, Answer>): Job<Task, Answer>[] {
    if (!this.#workers.delete(worker)) return []
    clearTimeout(worker.timer)
    void kill(worker.child)
    return worker.jobs.splice(0)
  }

  #launch(): Worker<Task, Answer> {
    const { program, execArgv, serialization } = this.#kind
    const child = startSandboxed(
      program,
      { execArgv, serialization },
      { message: message => this.#received(worker, message), exited: cause => this.#fail(worker, cause) },
    )
    const worker: Worker<Task, Answer> = { child, jobs: [] }
    this.#workers.add(worker)
    return worker
  }

  #closed(): Error {
    return new Error(`the processes for ${this.#kind.name} were closed`)
  }
}

function isOwn(cause: Cause): cause is 'time' | 'memory' {
  return cause === 'time' || cause === 'memory'
}

/** How many times its limit may pass by the clock. */
const MAX_CLOCK_TIMES = 3

/** Resolves when the message was sent, or cannot be sent because the process has exited, which is noticed anyway. */
function send(child: ChildProcess, message: object): Promise<void> {
  return new Promise(resolve => {
    if (child.connected) child.send(message, () => resolve())
    else resolve()
  })
}
