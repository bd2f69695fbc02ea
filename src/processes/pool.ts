import type { ChildProcess, SerializationType } from 'node:child_process'
import { type Ending, kill, setWaitedFor, startConfined } from './confined.ts'
import { processorMs } from './processor-time.ts'
import type { Queue, Work } from './queue.ts'

/** Why a process failed: by what it was at (time, memory), or by something outside of it. */
export type Cause = Ending | 'time' | 'stopped'

/** A process that failed: what it was for, whose work it was at, and why. */
export type Failure = { task: string; author: string; cause: Cause }

/** An answer, or the limit that the work reached twice, on its own in a new process. */
export type Outcome<Answer> = { ok: true; value: Answer } | { ok: false; problem: 'time' | 'memory' }

/** Says that a piece of work failed twice, and not, or not only, by its own fault: another time it may not. */
export class ProcessFailed extends Error {}

/** Says that so much of one author waits that no more may. */
export class TooMuchWaiting extends Error {}

/** What a pool is for. */
export type Kind<Task, Answer> = {
  /** The task as metrics name it. */
  name: string
  program: URL
  execArgv: readonly string[]
  serialization: SerializationType
  /** How much time of the processor a piece of work may take, three times as much by the clock, and how long a process waits for the next. */
  timeoutMs: number
  idleMs: number
  /** How many processes there are at most, and how many pieces of work each is sent ahead. */
  mostProcesses: number
  ahead: number
  queue: Queue<Job<Task, Answer>>
  /** What a process is told for a task. */
  messages: (task: Task) => Iterable<object> | AsyncIterable<object>
  /** Makes what takes a process's messages, one after the other, until they are an answer. It never throws. */
  receive: () => (message: unknown) => Answer | undefined
  /** Told of each process that failed at its work. */
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

/** A process, what it was sent, in its order: it is at the first of them; and the timer that ends it. */
type Worker<Task, Answer> = { child: ChildProcess; jobs: Job<Task, Answer>[]; timer?: NodeJS.Timeout }

/**
 * Processes for work on what strangers wrote, which start when first needed. One that takes too long, ends or stops
 * answering costs itself alone: what it was at is tried once more, on its own in a new one. Idle ones do not keep this
 * process alive, and end after a while.
 */
export class Pool<Task, Answer> {
  readonly #kind: Kind<Task, Answer>
  readonly #workers = new Set<Worker<Task, Answer>>()
  #isClosed = false

  constructor(kind: Kind<Task, Answer>) {
    this.#kind = kind
  }

  /**
   * Has a piece of work done; `work` says for whom, and how much room it takes while it waits.
   *
   * @throws {TooMuchWaiting} where too much of this author waits
   * @throws {ProcessFailed} where it failed twice, and something outside of it was the cause
   * @throws where `messages` does, or `close` was called
   */
  run(task: Task, work: Work = { author: '', size: 0 }): Promise<Outcome<Answer>> {
    if (this.#isClosed) return Promise.reject(this.#closed())
    return new Promise((resolve, reject) => {
      if (!this.#kind.queue.add({ ...work, task, causes: [], resolve, reject })) return reject(new TooMuchWaiting())
      this.#startNext()
    })
  }

  /** Ends all processes; what is being done or waits is rejected. */
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

  /** Those that take more work: one that tries a piece of work again has nothing else. */
  #open(): Worker<Task, Answer>[] {
    const { ahead } = this.#kind
    return [...this.#workers].filter(({ jobs }) => jobs.length < ahead && jobs.every(job => job.causes.length === 0))
  }

  /** The process that has least to do, or a new one where all have something and more may run. */
  #leastBusy(): Worker<Task, Answer> {
    const [least] = this.#open().sort((a, b) => a.jobs.length - b.jobs.length)
    const mayLaunch = this.#workers.size < this.#kind.mostProcesses
    return !least || (least.jobs.length > 0 && mayLaunch) ? this.#launch() : least
  }

  #give(worker: Worker<Task, Answer>, job: Job<Task, Answer>): void {
    job.receive = this.#kind.receive()
    worker.jobs.push(job)
    if (worker.jobs.length === 1) {
      setWaitedFor(worker.child, true)
      this.#limit(worker)
    }
    void this.#tell(worker, job)
  }

  async #tell(worker: Worker<Task, Answer>, job: Job<Task, Answer>): Promise<void> {
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
    job?.resolve({ ok: true, value })
    if (worker.jobs.length > 0) this.#limit(worker)
    else this.#rest(worker)
    this.#startNext()
  }

  #rest(worker: Worker<Task, Answer>): void {
    setWaitedFor(worker.child, false)
    clearTimeout(worker.timer)
    worker.timer = setTimeout(() => this.#drop(worker), this.#kind.idleMs).unref()
  }

  /** Ends it where the limit is reached: of the processor's time, so that a busy machine makes no work slow by its own fault. */
  #limit(worker: Worker<Task, Answer>): void {
    const { timeoutMs } = this.#kind
    const { pid } = worker.child
    const [before, began] = [processorMs(pid), performance.now()]
    const look = () => {
      const used = processorMs(pid) - before
      if (!(used < timeoutMs)) return this.#fail(worker, 'time')
      if (performance.now() - began > timeoutMs * MOST_TIMES) return this.#fail(worker, 'stopped')
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
    else if (isOwn(before) && isOwn(cause)) job.resolve({ ok: false, problem: cause })
    else job.reject(new ProcessFailed(`the process for ${name} failed twice (${before}, ${cause})`))
  }

  /** Gives a process up, and what it was sent. */
  #drop(worker: Worker<Task, Answer>): Job<Task, Answer>[] {
    if (!this.#workers.delete(worker)) return []
    clearTimeout(worker.timer)
    void kill(worker.child)
    return worker.jobs.splice(0)
  }

  #launch(): Worker<Task, Answer> {
    const { program, execArgv, serialization } = this.#kind
    const child = startConfined(
      program,
      { execArgv, serialization },
      { message: message => this.#received(worker, message), ended: why => this.#fail(worker, why) },
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

/** So many times its limit may pass by the clock. */
const MOST_TIMES = 3

/** Resolves when it was sent, or cannot be: then the process has ended, which is heard of. */
function send(child: ChildProcess, message: object): Promise<void> {
  return new Promise(resolve => {
    if (child.connected) child.send(message, () => resolve())
    else resolve()
  })
}
