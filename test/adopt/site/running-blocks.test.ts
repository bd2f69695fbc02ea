import { convertHtml } from '#adopt/documents/html.ts'
import { withoutRunning } from '#adopt/site/running-blocks.ts'
import { golden } from '#test/support/golden.ts'
import { pageFacts, TASK } from '../page-facts.ts'
import { sourcePage } from './source-page.ts'

golden('adopt/site/running-blocks', ({ pages }: { pages: readonly string[] }) => {
  const sources = pages.map((html, at) => ({ ...sourcePage(`${at}.html`), ...convertHtml(html, TASK) }))
  return withoutRunning(sources).map(({ text, lines, meta, notes, head }) =>
    pageFacts({ text, lines, meta, notes, ...(head && { head }) }),
  )
})
