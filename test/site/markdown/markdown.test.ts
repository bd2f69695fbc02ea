import assert from 'node:assert/strict'
import test from 'node:test'
import { renderMarkdown } from '../../../src/site/markdown/markdown.ts'
import { CONTEXT, renderedText } from './rendered.ts'

test('footnotes have numbers, links in both directions, and ids that authors cannot use', () => {
  const source = '# T[^b]\n\na[^a] b[^b]\n\n[^a]: A\n[^b]: B'
  const html = renderedText(source)
  const { headings } = renderMarkdown(source, CONTEXT)
  const links = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id = '']) => id)
  for (const id of links) assert.equal(html.split(` id="${id}"`).length, 2, id)
  assert.deepEqual(headings, [{ level: 1, id: 't', text: 'T' }])
})

test('the title of a page ends with its element, for any attributes', () => {
  for (const text of ['<h1 title="</h1><b>">A</h1>\n\nb', '# [A](/a "</h1>")\n\nb', '\n<!-- c -->\n\n# A\n\nb']) {
    const { html, title } = renderMarkdown(text, CONTEXT)
    assert.match(title?.text ?? '', /^<h1 .*<\/h1>$/, text)
    assert.equal(html.text.trim(), '<p>b</p>', text)
  }
})

test('the excerpt is the first paragraph as plain text, cut at a word', () => {
  const excerpt = (text: string) => renderMarkdown(text, CONTEXT).excerpt
  assert.equal(
    excerpt('# A\n\n![b](c)\n\nThe [*logo*](/x)\nstands[^1] <b>alone</b>.\n\n[^1]: a'),
    'The logo stands alone.',
  )
  assert.equal(excerpt('- a'), '')
  assert.equal(excerpt('word '.repeat(100)), `${'word '.repeat(39)}word…`)
  assert.equal(excerpt('🎨'.repeat(200)), `${'🎨'.repeat(100)}…`)
})
