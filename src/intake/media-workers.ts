import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { MediaAnswer, MediaTask } from './media-worker.ts'

type Job = { task: MediaTask; resolve: (answer: MediaAnswer) => void; reject: (reason: Error) => void }

/**
 * Threads that parse fonts and pictures, one file at a time each. A thread that is slower than the limit, crashes or
 * runs out of memory is ended, and the next file gets a new one. Idle threads do not keep the process alive.
 */
export class MediaWorkers {
  readonly #timeoutMs: number
  readonly #threads: number
  readonly #idle = new Set<Worker>()
  readonly #busy = new Map<Worker, Job>()
  readonly #waiting: Job[] = []
  #isClosed = false

  constructor(timeoutMs: number, threads: number) {
    this.#timeoutMs = timeoutMs
    this.#threads = threads
  }

  /** Has one file read. The time limit counts from when a thread takes it up. */
  run(task: MediaTask): Promise<MediaAnswer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ task, resolve, reject })
      this.#startNext()
    })
  }

  /** Ends all threads; what is still being read or waiting is rejected. */
  async close(): Promise<void> {
    this.#isClosed = true
    const workers = [...this.#idle, ...this.#busy.keys()]
    for (const job of [...this.#busy.values(), ...this.#waiting.splice(0)]) job.reject(closed())
    this.#idle.clear()
    this.#busy.clear()
    await Promise.all(workers.map(worker => worker.terminate()))
  }

  #startNext(): void {
    if (this.#isClosed) for (const job of this.#waiting.splice(0)) job.reject(closed())
    if (this.#busy.size >= this.#threads) return
    const job = this.#waiting.shift()
    if (job) this.#start(job)
  }

  #start(job: Job): void {
    const [worker = this.#launch()] = this.#idle
    const end = (answer: MediaAnswer, next: 'reuse' | 'replace') => {
      clearTimeout(timer)
      worker.off('message', onMessage).off('error', onError).off('exit', onExit)
      if (!this.#busy.delete(worker)) return
      if (next === 'reuse') this.#rest(worker)
      else void worker.terminate()
      job.resolve(answer)
      this.#startNext()
    }
    const onMessage = (answer: MediaAnswer) => end(answer, 'reuse')
    const onError = (error: unknown) => {
      if (codeOf(error).startsWith('ERR_MODULE'))
        job.reject(new Error('cannot load the reader of files', { cause: error }))
      end({ problem: crash(codeOf(error)) }, 'replace')
    }
    const onExit = () => end({ problem: crash('') }, 'replace')
    const timer = setTimeout(() => end({ problem: tooSlow(this.#timeoutMs) }, 'replace'), this.#timeoutMs)
    this.#idle.delete(worker)
    this.#busy.set(worker, job)
    worker.ref()
    worker.on('message', onMessage).on('error', onError).on('exit', onExit)
    worker.postMessage(job.task)
  }

  #rest(worker: Worker): void {
    worker.unref()
    this.#idle.add(worker)
  }

  #launch(): Worker {
    // The same extension as this file: .ts in development, .js where it was built.
    const worker = new Worker(new URL(`./media-worker${extname(import.meta.url)}`, import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 },
    })
    // A thread that fails while it has nothing to do is forgotten; the file that it failed at was answered.
    worker.on('error', () => this.#idle.delete(worker)).on('exit', () => this.#idle.delete(worker))
    return worker
  }
}

function closed(): Error {
  return new Error('cannot read the file: its reader was closed')
}

function tooSlow(timeoutMs: number): string {
  return `it takes longer than ${timeoutMs / 1000} s; export it again`
}

function crash(code: string): string {
  return `${code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'it needs too much memory' : 'it is damaged'}; export it again`
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
