import assert from 'node:assert/strict'
import test from 'node:test'
import { convertHtml } from '#adopt/documents/html.ts'
import { titlePages, withoutSharedDescriptions } from '#adopt/site/titles.ts'
import { golden } from '#test/support/golden.ts'
import { TASK } from '../page-facts.ts'
import { sourcePage } from './source-page.ts'

/** The titles of the pages of one site; null for those that have their own heading. */
golden('adopt/site/titles', ({ pages }: { pages: readonly string[] }) => {
  const sources = pages.map((html, at) => ({ ...sourcePage(`${at}.html`), ...convertHtml(html, TASK) }))
  return titlePages(sources).map(({ meta }) => meta.title ?? null)
})

test('a description that three pages share is on none of them, and is in the report', () => {
  const pages = ['Acme', 'Acme', 'Our logo', 'Acme', undefined, undefined, undefined]
  const sources = pages.map((description, at) => sourcePage(`${at}.md`, { description }))
  const [first, , own] = withoutSharedDescriptions(sources)
  assert.deepEqual([first?.meta.description, own?.meta.description], [undefined, 'Our logo'])
  assert.deepEqual(
    first?.notes.lost.map(({ text }) => text),
    ['Acme'],
  )
})
