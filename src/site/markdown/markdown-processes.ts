import type { ChildProcess } from 'node:child_process'
import { extname } from 'node:path'
import { kill, setWaitedFor, startConfined } from '../../processes/confined.ts'
import { Html, html } from '../html.ts'
import type { RenderedPage } from './markdown.ts'
import type { MarkdownAnswer, MarkdownTask } from './markdown-task.ts'
import type { Picture } from './page-pictures.ts'

/** `isShown` is false where a page stands as its source text, because it could not be laid out. */
export type ShownPage = RenderedPage & { isShown: boolean }

/** Says that so many pages of one author wait that no more may. */
export class TooManyPages extends Error {}

type Job = {
  task: MarkdownTask
  author: string
  resolve: (answer: MarkdownAnswer) => void
  reject: (reason: Error) => void
}

/** A process, the page that it is at, and the timer that ends it: at the page's limit, or when it has long been idle. */
type Worker = { child: ChildProcess; job?: Job | undefined; timer?: NodeJS.Timeout }

/**
 * Renders Markdown in processes of their own, which are started when first needed: a page that is made to be slow holds
 * up no request, and one that takes too long or too much memory costs its process alone. Idle ones do not keep this
 * process alive, and end after a minute. Authors take turns, and there is always a process that one alone cannot keep
 * busy: slow pages hold up others of their author alone.
 */
export class MarkdownProcesses {
  readonly #timeoutMs: number
  readonly #idleMs: number
  readonly #workers = new Set<Worker>()
  /** Pages by their authors, in the order in which these have their turn; none of them is empty. */
  readonly #waiting = new Map<string, Job[]>()
  #isClosed = false

  /** @param limits how long one page may take, and how long a process waits for the next */
  constructor({ timeoutMs = 10_000, idleMs = 60_000 }: { timeoutMs?: number; idleMs?: number } = {}) {
    this.#timeoutMs = timeoutMs
    this.#idleMs = idleMs
  }

  /**
   * A page as safe HTML, as `renderMarkdown` makes it; where that fails, its source text with a sentence that says so.
   *
   * @param author whose page it is: it waits for other pages of this author alone
   * @throws {TooManyPages} where too much of this author waits
   * @throws where the process cannot be run, or `close` was called
   */
  async render(text: string, pictures: ReadonlyMap<string, Picture>, author = ''): Promise<ShownPage> {
    const answer = await this.#run({ text, pictures }, author)
    if ('problem' in answer) return { ...sourcePage(text, answer.problem), isShown: false }
    return { ...answer, html: new Html(answer.html), isShown: true }
  }

  /** Ends all processes; what is being rendered or waits is rejected. */
  async close(): Promise<void> {
    this.#isClosed = true
    const workers = [...this.#workers]
    this.#workers.clear()
    for (const { timer } of workers) clearTimeout(timer)
    const waiting = [...this.#waiting.values()].flat()
    this.#waiting.clear()
    for (const job of [...workers.flatMap(({ job }) => job ?? []), ...waiting]) job.reject(closed())
    await Promise.all(workers.map(({ child }) => kill(child)))
  }

  #run(task: MarkdownTask, author: string): Promise<MarkdownAnswer> {
    if (this.#isClosed) return Promise.reject(closed())
    const jobs = this.#waiting.get(author) ?? []
    const length = jobs.reduce((sum, job) => sum + job.task.text.length, task.text.length)
    if (jobs.length > 0 && length > MOST_WAITING) return Promise.reject(new TooManyPages())
    return new Promise((resolve, reject) => {
      jobs.push({ task, author, resolve, reject })
      this.#waiting.set(author, jobs)
      this.#startNext()
    })
  }

  #startNext(): void {
    for (let job = this.#next(); job; job = this.#next()) {
      const idle = [...this.#workers].find(worker => worker.job === undefined)
      this.#send(idle ?? this.#launch(), job)
    }
  }

  /** Takes a page for which there is a process, and puts its author behind all others; undefined where none can go on. */
  #next(): Job | undefined {
    const busy = [...this.#workers].flatMap(({ job }) => job ?? [])
    if (busy.length === MOST_PROCESSES) return undefined
    for (const [author, jobs] of this.#waiting) {
      if (busy.filter(job => job.author === author).length === MOST_AN_AUTHOR) continue
      const job = jobs.shift()
      this.#waiting.delete(author)
      if (jobs.length > 0) this.#waiting.set(author, jobs)
      return job
    }
    return undefined
  }

  #send(worker: Worker, job: Job): void {
    worker.job = job
    setWaitedFor(worker.child, true)
    this.#limit(worker, this.#timeoutMs, `it takes longer than ${this.#timeoutMs / 1000} s`)
    worker.child.send(job.task, () => {}) // Where it cannot be sent, the process has ended, which is heard of.
  }

  #answered(worker: Worker, answer: MarkdownAnswer): void {
    if (!this.#workers.has(worker)) return // It was given up while it answered.
    worker.job?.resolve(answer)
    worker.job = undefined
    setWaitedFor(worker.child, false)
    this.#limit(worker, this.#idleMs)
    worker.timer?.unref()
    this.#startNext()
  }

  #limit(worker: Worker, milliseconds: number, problem = ''): void {
    clearTimeout(worker.timer)
    worker.timer = setTimeout(() => this.#end(worker, job => job.resolve({ problem })), milliseconds)
  }

  #end(worker: Worker, settle: (job: Job) => void): void {
    if (!this.#workers.delete(worker)) return
    clearTimeout(worker.timer)
    void kill(worker.child)
    if (worker.job) settle(worker.job)
    this.#startNext()
  }

  #launch(): Worker {
    // The same extension as this file: .ts in development, .js where it was built.
    const program = new URL(`./markdown-process${extname(import.meta.url)}`, import.meta.url)
    const limits = ['--max-old-space-size=768']
    const child = startConfined(
      program,
      { execArgv: limits, serialization: 'advanced' },
      {
        message: message => isAnswer(message) && this.#answered(worker, message),
        notRun: cause => this.#end(worker, job => job.reject(new Error(NOT_RUN, { cause }))),
        ended: () => this.#end(worker, job => job.resolve({ problem: 'it needs too much memory' })),
      },
    )
    const worker: Worker = { child }
    this.#workers.add(worker)
    return worker
  }
}

const MOST_PROCESSES = 3
/** Two, so that one page that is made to be slow does not hold up all others of its author. */
const MOST_AN_AUTHOR = 2
/** Characters of one author. */
const MOST_WAITING = 32 << 20

const NOT_RUN = 'cannot run the process that renders Markdown'

function sourcePage(text: string, problem: string): RenderedPage {
  const page = html`<p class="notice">This page cannot be laid out: ${problem}. Here is its text as it was written.</p>
<pre tabindex="0">${text}</pre>
`
  return { html: page, headings: [], excerpt: '' }
}

function closed(): Error {
  return new Error('cannot render the page: its renderer was closed')
}

/** Whether a message is what `markdown-process.ts` sends: it sends nothing else. */
function isAnswer(message: unknown): message is MarkdownAnswer {
  return typeof message === 'object' && message !== null
}
