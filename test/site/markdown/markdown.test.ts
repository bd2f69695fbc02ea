import assert from 'node:assert/strict'
import test from 'node:test'
import { renderMarkdown } from '#site/markdown/markdown.ts'
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
  const seen = excerpt('# A\n\n![b](c)\n\nThe [*logo*](/x)\nstands[^1] <b>alone</b>.\n\n[^1]: a')
  assert.equal(seen, 'The logo stands alone.')
  assert.equal(excerpt('- a'), '')
  assert.equal(excerpt('word '.repeat(100)), `${'word '.repeat(39)}word…`)
  assert.equal(excerpt('🎨'.repeat(200)), `${'🎨'.repeat(100)}…`)
})

test('a page with a thousand references to a long address is rejected before expansion', () => {
  const text = `[a]: /${'x'.repeat(10_000)}\n\n${'[a] '.repeat(1000)}`
  assert.throws(() => renderMarkdown(text, CONTEXT), RangeError)
  const seen = renderMarkdown(text.replace(/x{9950}/, ''), CONTEXT).html.text.split(`="/${'x'.repeat(50)}"`).length
  assert.equal(seen, 1001)
})

const shown = (text: string, name = 'Logo') => {
  const { title, html } = renderMarkdown(text, { name, pictures: new Map() })
  return { title: title?.text.replace(/<a .*a>|<.*?>/g, ''), levels: html.text.match(/(?<=<)h[1-6](?= id)/g) ?? [] }
}

test('the first level-1 heading is the title if only pictures precede it', () => {
  for (const text of ['# Our logo\n\na\n\n## B', '![a](b.png)\n\n# Our logo\n\n## B', '---\n\n# Our logo\n\n## B'])
    assert.deepEqual(shown(text), { title: 'Our logo', levels: ['h2'] }, text)
})

test('a level-1 heading below text is the title only if it is the page name', () => {
  assert.deepEqual(shown('a\n\n# Logo\n\n## B'), { title: 'Logo', levels: ['h2'] })
  assert.deepEqual(shown('a\n\n# Our logo\n\n## B'), { title: undefined, levels: ['h2', 'h3'] })
})

test('a page has one level-1 heading: if there are more, all other headings are lowered', () => {
  assert.deepEqual(shown('# A\n\n## B\n\n# C\n\n###### D'), { title: 'A', levels: ['h3', 'h2', 'h6'] })
  assert.deepEqual(shown('a\n\n> # B\n\n## C[^1]\n\n[^1]: d'), { title: undefined, levels: ['h2', 'h3', 'h2'] })
  assert.deepEqual(shown('## A\n\n### B'), { title: undefined, levels: ['h2', 'h3'] })
})
