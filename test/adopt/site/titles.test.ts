import { convertHtml } from '#adopt/documents/html.ts'
import { titlePages } from '#adopt/site/titles.ts'
import { golden } from '#test/support/golden.ts'
import { TASK } from '../page-facts.ts'
import { sourcePage } from './source-page.ts'

/** The titles of the pages of one site; null for those that have their own heading. */
golden('adopt/site/titles', ({ pages }: { pages: readonly string[] }) => {
  const sources = pages.map((html, at) => ({ ...sourcePage(`${at}.html`), page: convertHtml(html, TASK) }))
  return titlePages(sources).map(({ page }) => page.meta.title ?? null)
})
