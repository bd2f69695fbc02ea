import { extname } from 'node:path'
import { type Failure, Pool } from '../../processes/pool.ts'
import { inTurns } from '../../processes/queue.ts'
import { Html, html } from '../html.ts'
import type { RenderedPage } from './markdown.ts'
import type { MarkdownAnswer, MarkdownTask } from './markdown-task.ts'
import type { Picture } from './page-pictures.ts'

/** `isShown` is false where a page stands as its source text, because it could not be laid out. */
export type ShownPage = RenderedPage & { isShown: boolean }

/** Renders Markdown in processes of their own; closing it ends them. */
export type Renderer = {
  /**
   * A page as safe HTML, as `renderMarkdown` makes it; where that fails by its own fault, its source text with a
   * sentence that says so.
   *
   * @param author whose page it is: it waits for other pages of this author alone
   * @throws {TooMuchWaiting} where too much of this author waits
   * @throws {ProcessFailed} where something outside of the page was the cause
   * @throws where `close` was called
   */
  render: (text: string, pictures: ReadonlyMap<string, Picture>, author?: string) => Promise<ShownPage>
  close: () => Promise<void>
}

/** How long one page may take, how long a process waits for the next, and who is told of a process that failed. */
export type RendererOptions = { timeoutMs?: number; idleMs?: number; failed?: (failure: Failure) => void }

/**
 * Opens a renderer. A page that is made to be slow holds up no request, and one that takes too long or too much memory
 * costs its process alone. Authors take turns, and there is always a process that one alone cannot keep busy: slow pages
 * hold up others of their author alone.
 */
export function openRenderer(options: RendererOptions = {}): Renderer {
  const { timeoutMs = 10_000, idleMs = 60_000, failed = () => undefined } = options
  const pool = new Pool<MarkdownTask, MarkdownAnswer>({
    name: 'markdown',
    program: PROGRAM,
    execArgv: ['--max-old-space-size=768'],
    serialization: 'advanced',
    ...{ timeoutMs, idleMs, failed },
    mostProcesses: 3,
    ahead: 1,
    // Two, so that one page that is made to be slow does not hold up all others of its author.
    queue: inTurns({ mostUnderWay: 2, mostWaiting: MAX_WAITING }),
    messages: task => [task],
    receive: () => message => (isAnswer(message) ? message : undefined),
  })
  const problems = { time: `it takes longer than ${timeoutMs / 1000} s`, memory: 'it needs too much memory' }
  return {
    render: async (text, pictures, author = '') => {
      const outcome = await pool.run({ text, pictures }, { author, size: text.length })
      const answer = outcome.ok ? outcome.value : { problem: problems[outcome.problem] }
      if ('problem' in answer) return { ...sourcePage(text, answer.problem), isShown: false }
      return { ...answer, html: new Html(answer.html), isShown: true }
    },
    close: () => pool.close(),
  }
}

/** The same extension as this file: .ts in development, .js where it was built. */
const PROGRAM = new URL(`./markdown-process${extname(import.meta.url)}`, import.meta.url)
/** Characters of one author. */
const MAX_WAITING = 32 << 20

function sourcePage(text: string, problem: string): RenderedPage {
  const page = html`<p class="notice">This page cannot be laid out: ${problem}. Here is its text as it was written.</p>
<pre tabindex="0">${text}</pre>
`
  return { html: page, headings: [], excerpt: '' }
}

/** Whether a message is what `markdown-process.ts` sends: it sends nothing else. */
function isAnswer(message: unknown): message is MarkdownAnswer {
  return typeof message === 'object' && message !== null
}
