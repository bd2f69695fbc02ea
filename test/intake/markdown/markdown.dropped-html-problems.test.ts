import assert from 'node:assert/strict'
import test from 'node:test'
import { readMarkdown } from '#intake/markdown/markdown.ts'
import { PATIENCE_MS } from '../../support/patience.ts'

const pages: [what: string, page: string, lines: number[]][] = [
  ['an embedded video', 'Text\n\n<iframe src="https://example.com/v"></iframe>\n', [3]],
  ['HTML within a paragraph', 'See <embed src="a.swf"> here\nand <OBJECT data="b.pdf"></OBJECT>\n', [1, 2]],
  ['an inline SVG and its content', '<svg viewBox="0 0 1 1">\n<title>Logo</title>\n<style>a{}</style>\n</svg>\n', [1]],
  ['a script after a comment', '<!-- <iframe> -->\n<script>\nlet a\n</script>\n', [2]],
  ['elements in code', '`<iframe>`\n\n```html\n<iframe></iframe>\n```\n', []],
  ['HTML that is kept', '<details><summary>More</summary>Text</details>\n<video src="a.mp4"></video>\n', []],
  ['longer names', '<select-one></select-one>\n', [1]],
]
for (const [what, page, lines] of pages)
  test(`a page with ${what} has dropped HTML on ${lines.length} lines`, () => {
    const { problems } = readMarkdown(page)
    const seen = problems.map(({ rule, line }) => [rule, line])
    const expected = lines.map(line => ['html-dropped', line])
    assert.deepEqual(seen, expected)
  })

test('the finding about an iframe says what to write instead', () =>
  assert.equal(
    readMarkdown('<iframe></iframe>').problems[0]?.message,
    'the website omits <iframe> and its content: link to it in a separate paragraph',
  ))

test('a page with only dropped HTML is read quickly', { timeout: PATIENCE_MS }, () =>
  assert.equal(readMarkdown('<iframe>'.repeat(100_000)).problems.length, 1),
)
