import { failed as failedWith } from '#platform/base/result.ts'
import { ProcessFailed } from '#platform/processes/failure.ts'
import { type OpenPool, Pool } from '#platform/processes/pool.ts'
import { childMegabytes } from '#platform/processes/process-slots.ts'
import { fairQueue } from '#platform/processes/queue.ts'
import type { PoolLimits } from '#platform/processes/worker.ts'
import { Html, html } from '../html.ts'
import { type Words, wordsFor } from '../words/words.ts'
import type { ChangedPage } from './changed-words.ts'
import type { PageDetails } from './enhance.ts'
import type { RenderedPage } from './markdown.ts'
import type { MarkdownAnswer, MarkdownTask } from './markdown-process.ts'

/** A page as shown; `isRendered` is false if it is shown as Markdown because it could not be rendered. */
export type ShownPage = RenderedPage & { isRendered: boolean }

/** Renders Markdown in child processes; `close` ends them. */
export type Renderer = OpenPool & {
  /**
   * Renders a page as safe HTML, like `renderMarkdown`. If the page itself is the cause of a failure, returns its
   * Markdown with a sentence that explains why. Too little time may be the fault of the machine.
   *
   * @param author the owner of the page: it waits only for other pages of this author
   * @throws {TooMuchWaiting} if too many characters of this author are waiting
   * @throws {ProcessFailed} if the cause may be outside the page
   * @throws if `close` was called
   */
  render: (text: string, context: PageDetails, author?: string) => Promise<ShownPage>
  /** Renders the changes of a page, like `renderChanges`, after others of the author; undefined if it cannot be rendered. */
  changes: (page: ChangedPage, author?: string) => Promise<Html | undefined>
}

/**
 * Opens a renderer. A slow page delays no request, and a page that takes too long or too much memory ends only its own
 * process. Authors take turns, and no author keeps all processes busy: slow pages delay only pages of the same author.
 */
export function openRenderer({
  timeoutMs = 30_000,
  idleMs = 60_000,
  failed,
}: PoolLimits & { idleMs?: number } = {}): Renderer {
  const pool = new Pool<MarkdownTask, MarkdownAnswer>({
    name: 'markdown',
    program: new URL('./markdown-process', import.meta.url),
    execArgv: [`--max-old-space-size=${childMegabytes(768)}`, '--max-semi-space-size=4'],
    lowerBy: 5, // A reader waits for it.
    timeoutMs,
    idleMs,
    maxProcesses: 3,
    scaleUpAfterMs: 250,
    maxTasksEach: 1,
    // Two, so that one slow page does not delay all others of its author.
    queue: fairQueue({ maxRunning: 2, maxWaiting: MAX_WAITING }),
    failed,
    messages: task => [task],
  })
  return {
    render: async (text, context, author = '') => {
      const words = wordsFor(context.lang)
      const outcome = await pool.run({ text, context }, { author, size: text.length })
      if (!outcome.ok && outcome.problem === 'time') throw new ProcessFailed('a page took too long to render twice')
      const answer = outcome.ok ? outcome.value : failedWith(`${words.pages.tooMuchMemory}`)
      if (!answer.ok) return sourcePage(words, text, answer.problem)
      const { title, html, ...page } = answer.value
      const rendered = { ...page, html: new Html(html), isRendered: true }
      return title === undefined ? rendered : { ...rendered, title: new Html(title) }
    },
    changes: async (page, author = '') => {
      const size = [page.before, page.after].reduce((sum, source) => sum + (source?.text.length ?? 0), 0)
      const outcome = await pool.run(page, { author: `changes of ${author}`, size })
      return outcome.ok && outcome.value.ok ? new Html(outcome.value.value.html) : undefined
    },
    ...pool.open,
  }
}

/** In characters per author. */
const MAX_WAITING = 32 << 20

function sourcePage({ frame }: Words, text: string, problem: string): ShownPage {
  const page = html`<p class="notice">${frame.notice({ problem })}</p>
<pre tabindex="0">${text}</pre>
`
  return { html: page, headings: [], excerpt: '', hasTypeSamples: false, isComposed: false, isRendered: false }
}
