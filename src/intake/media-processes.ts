import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { extname } from 'node:path'
import type { MediaAnswer, MediaTask } from './media-task.ts'

type Job = { task: MediaTask; resolve: (answer: MediaAnswer) => void; reject: (reason: Error) => void }

/**
 * Processes that parse fonts and pictures, one file at a time each. One that is slower than the limit is killed; the
 * next file gets a new one. Idle ones do not keep this process alive, and end with it. (They are no threads: where a
 * thread's heap is full and asks for a large piece, V8 ends the whole process, whatever its `resourceLimits` say.)
 */
export class MediaProcesses {
  readonly #timeoutMs: number
  readonly #most: number
  readonly #idle = new Set<ChildProcess>()
  readonly #busy = new Map<ChildProcess, Job>()
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
    for (const job of [...this.#busy.values(), ...this.#waiting.splice(0)]) job.reject(closed())
    await Promise.all([...this.#idle, ...this.#busy.keys()].map(kill))
  }

  #startNext(): void {
    const job = this.#busy.size < this.#most ? this.#waiting.shift() : undefined
    if (job) this.#start(job)
  }

  #start(job: Job): void {
    const [child = this.#launch()] = this.#idle
    const end = (next: 'reuse' | 'kill', settle: () => void) => {
      clearTimeout(timer)
      child.off('message', onMessage).off('error', onError).off('exit', onExit)
      this.#busy.delete(child)
      if (next === 'reuse') this.#rest(child)
      else void kill(child)
      settle()
      this.#startNext()
    }
    const fail = (problem: string) => end('kill', () => job.resolve({ problem }))
    const onMessage = (message: unknown) => {
      if (isAnswer(message)) end('reuse', () => job.resolve(message))
    }
    const onError = (cause: Error) => end('kill', () => job.reject(new Error(NOT_RUN, { cause })))
    // Node ends with 1 where a program cannot be loaded; out of memory, V8 aborts.
    const onExit = (code: number | null) => (code === 1 ? onError(new Error('it ended with code 1')) : fail(CRASHED))
    const timer = setTimeout(() => fail(tooSlow(this.#timeoutMs)), this.#timeoutMs)
    this.#idle.delete(child)
    this.#busy.set(child, job)
    child.ref()
    child.channel?.ref()
    child.on('message', onMessage).on('error', onError).on('exit', onExit)
    child.send(job.task, () => {}) // Where it cannot be sent, the process has ended, of which onExit hears.
  }

  #rest(child: ChildProcess): void {
    child.unref()
    child.channel?.unref()
    this.#idle.add(child)
  }

  #launch(): ChildProcess {
    // The same extension as this file: .ts in development, .js where it was built.
    const program = new URL(`./media-process${extname(import.meta.url)}`, import.meta.url)
    // It reads files of strangers: it may read files and no more, and gets neither the environment nor a terminal.
    const child = fork(program, {
      env: {},
      execArgv: ['--permission', '--allow-fs-read=*', '--max-old-space-size=256'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    // What happens to it while it rests is no file's concern.
    return child.on('error', () => this.#idle.delete(child)).on('exit', () => this.#idle.delete(child))
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

async function kill(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.ref() // Else this process may end while it waits.
  child.kill('SIGKILL')
  await exit
}
