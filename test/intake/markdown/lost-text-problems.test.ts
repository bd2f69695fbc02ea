import assert from 'node:assert/strict'
import test from 'node:test'
import { pageSections } from '#delivery/search/page-sections.ts'
import { readMarkdown } from '#intake/markdown/markdown.ts'
import { renderMarkdown } from '#site/markdown/markdown.ts'

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

test('a row without lost cells is not reported', () => {
  for (const text of ['a | b\n-|-\nc | d\n', '| a |\n|---|\n| b \\| c |\n| d\n', '|a|b|\n|-|-|\n|c|d|  \n||d|\n'])
    assert.deepEqual(findingsOf(text), [], text)
})

test('a footnote without its other half, or a second one with a label, is reported', () => {
  assert.deepEqual(findingsOf('Text[^1] and [^2].\n\n[^1]: One\n[^3]: Keep *it*\n\n    More\n[^1]: Again\n'), [
    '1 "[^2]" is shown as written, because the footnote has no text: write [^2]: and its text in a separate paragraph',
    '4 the footnote [^3] "Keep *it*" is not shown, because nothing refers to it: write [^3] in the text that it belongs to',
    '7 the footnote [^1] "Again" is not shown, because another footnote has this label: give it another label',
  ])
  assert.deepEqual(findingsOf('<p>Text[^1]</p>\n\nText[^1]\n\n[^1]: One\n'), [
    '1 "[^1]" is shown as written, because HTML around it is not Markdown: leave blank lines around its text',
  ])
  assert.deepEqual(findingsOf('Text[^A] `[^2]` \\[^3]\n\n[^a]: One\n\n```\n[^4]: a\n```\n'), [])
})

test('a definition that no link uses is reported if it is text, or has a title', () => {
  const fix =
    'because it is the address of a link that the page does not have: write \\[ at its start to show it, or remove it'
  assert.deepEqual(findingsOf('[Note]: Never\n\n[a]: https://a.example "Keep it"\n\n[b]: https://b.example\n'), [
    `1 "[Note]: Never" is not shown, ${fix}`,
    `3 "[a]: https://a.example \\"Keep it\\"" is not shown, ${fix}`,
  ])
  assert.deepEqual(findingsOf('[a], [x][b]\n\n[a]: <#> "Title"\n[b]: #c "Title"\n\n# C\n'), [])
  assert.deepEqual(findingsOf('[a]\n\n[b]: https://b.example\n[a]: https://a.example\n"Title of a"\n'), [])
})
