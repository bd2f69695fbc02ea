import assert from 'node:assert/strict'
import test from 'node:test'
import { convertHtml } from '#adopt/documents/html.ts'
import { titlePages } from '#adopt/site/titles.ts'
import { TASK } from '../page-facts.ts'
import { sourcePage } from './source-page.ts'

/** The titles of pages of one site; undefined for those that have their own heading. */
function titles(...sources: string[]) {
  const pages = sources.map((source, at) => ({ ...sourcePage(`${at}.html`), page: convertHtml(source, TASK) }))
  return titlePages(pages).map(({ page }) => page.meta.title)
}

test('the title of a page is what browsers show without the name of the site', () => {
  const body = '<p>A'
  assert.deepEqual(titles(`<title>Logo | Brand</title>${body}`), ['Logo | Brand'])
  const named = '<meta property=og:site_name content=Brand>'
  assert.deepEqual(titles(`${named}<title>Logo | Print | Brand</title>${body}`), ['Logo | Print'])
  const pages = ['Brand', 'Logo – Brand', 'Type – Brand'].map(title => `<title>${title}</title>${body}`)
  assert.deepEqual(titles(...pages), ['Brand', 'Logo', 'Type'])
  assert.deepEqual(titles('<title>Brand: Logo</title><p>A', '<title>Brand: Type</title><p>A'), ['Logo', 'Type'])
})

test('a page whose title or heading is only the name of the site has that of its content', () => {
  const site = '<title>Brand</title>'
  const pages = ['<h2>Logo</h2><p>A', '<h2>Type</h2><p>A', '<h1>Colours</h1>'].map(body => site + body)
  assert.deepEqual(titles(...pages), [undefined, undefined, undefined])
  const headed = ['Logo', 'Type'].map(each => `<title>${each} - Brand</title><main><h1>Brand</h1><p>A</main>`)
  assert.deepEqual(titles(...headed), ['Logo', 'Type'])
})
