import assert from 'node:assert/strict'
import test from 'node:test'
import { convertHtml } from '#adopt/documents/html.ts'
import { withoutRunning } from '#adopt/site/running-blocks.ts'
import { TASK } from '../page-facts.ts'
import { sourcePage } from './source-page.ts'

function without(...sources: string[]) {
  const pages = sources.map((source, at) => ({ ...sourcePage(`${at}.html`), page: convertHtml(source, TASK) }))
  return withoutRunning(pages).map(({ page }) => page)
}

test('what most pages begin or end with is left out and told, and what one page has in its middle stays', () => {
  const around = (own: string, next: string) =>
    `<p>Brand portal<p>For staff\n\n${own}\n\n<p><a href="${next}.html">Next: ${next}</a><p>Was this helpful?`
  const [logo, ...others] = without(
    around('<h1>Logo</h1><p>Leave it alone.', 'type'),
    around('<h1>Type</h1><p>Was this helpful?<p>Yes.', 'color'),
    around('<h1>Colour</h1><p><a href="swatches.zip">Swatches</a>', 'logo'),
    '<h1>Home</h1><p>Welcome.',
  )
  assert.deepEqual([logo?.text, logo?.lines], ['# Logo\n\nLeave it alone.\n', [3, 3, 3]])
  assert.deepEqual(
    logo?.notes.lost.map(({ what, text, line }) => [what, text, line]),
    [
      ['the same on most pages', 'Brand portal', 1],
      ['the same on most pages', 'For staff', 1],
      ['the same on most pages', '[Next: type](type.html)', 5],
      ['the same on most pages', 'Was this helpful?', 5],
    ],
  )
  assert.deepEqual(
    others.map(({ text }) => text.trim()),
    ['# Type\n\nWas this helpful?\n\nYes.', '# Colour\n\n[Swatches](swatches.zip)', '# Home\n\nWelcome.'],
  )
})

test('different pictures, lists of links of different lengths, and two pages alone are not the same', () => {
  const pages = ['a', 'b', 'c'].map(each => `<h1>${each}</h1><p>${each}<p><img src="${each}.png">`)
  const links = pages.map((page, at) => page + '<p><a href="x.html">X</a>'.repeat(at + 1))
  const kept = without(...links).map(({ text }) => text.match(/png/g)?.length)
  assert.deepEqual(kept, [1, 1, 1])
  assert.ok(without('<h1>A</h1><p>End', '<h1>B</h1><p>End').every(({ text }) => text.endsWith('End\n')))
})
