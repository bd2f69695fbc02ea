import assert from 'node:assert/strict'
import test from 'node:test'
import { renderMarkdown } from '../../../src/site/markdown/markdown.ts'

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
