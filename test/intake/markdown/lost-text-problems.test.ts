import assert from 'node:assert/strict'
import test from 'node:test'
import { pageSections } from '#delivery/search/page-sections.ts'
import { readMarkdown } from '#intake/markdown/markdown.ts'
import { renderMarkdown } from '#site/markdown/markdown.ts'
import { golden } from '#test/support/golden.ts'

function findingsOf(text: string): string[] {
  return readMarkdown(text).problems.map(({ rule, line, message }) => {
    assert.equal(rule, 'text-lost')
    return `${line} ${message}`
  })
}

const ROW =
  'because its row has more cells than the table has columns: add a column to the first two lines, or write \\| if a | in the text divides it'

test('a cell beyond the columns of its table is reported at its line, and is neither on the page nor in a search', () => {
  const text = '| a | b |\n|---|:-:|\n| c | d | never on Clay |\n| `x|y` | z |\n| e |\n\n> f | g\n> -|-\n> h | | i\n'
  assert.deepEqual(findingsOf(text), [
    `3 the cell "never on Clay" is not shown, ${ROW}`,
    `4 the cell "z" is not shown, ${ROW}`,
    `9 the cell "i" is not shown, ${ROW}`,
  ])
  const { html } = renderMarkdown(text, { name: 'Page', pictures: new Map() })
  for (const lost of ['never on Clay', '>z<', '>i<']) assert.ok(!html.text.includes(lost), lost)
  assert.doesNotMatch(pageSections(text)[0]?.text ?? '', /never on Clay/)
})

golden('intake/markdown/lost-text-problems', ({ text }: { text: string }) => findingsOf(text))
