import assert from 'node:assert/strict'
import test from 'node:test'
import { renderMarkdown } from '#site/markdown/markdown.ts'
import { CONTEXT } from './rendered.ts'

test('the list of headings is in order and includes the title', () => {
  const { headings } = renderMarkdown('# A\n\n> ## B\n\n<h3>C <b>d</b></h3>', CONTEXT)
  assert.deepEqual(headings, [
    { level: 1, id: 'a', text: 'A' },
    { level: 2, id: 'b', text: 'B' },
    { level: 3, id: 'c-d', text: 'C d' },
  ])
})

test('a heading without text is neither listed nor shown, and does not change the ids of others', () => {
  const { headings, html } = renderMarkdown('## \n\n## a\n\n##\n\n## a\n', CONTEXT)
  const ids = headings.map(({ id }) => id)
  assert.deepEqual(ids, ['a', 'a-1'])
  assert.doesNotMatch(html.text, /<h2><\/h2>/)
  const { title, html: below } = renderMarkdown('#\n\n# Real\n', CONTEXT)
  assert.match(`${title?.text}${below.text}`, /^<h1 id="real">/)
})

test('only the first thousand headings are listed, but all have ids', () => {
  const { html, headings } = renderMarkdown('## A\n'.repeat(1500), CONTEXT)
  assert.deepEqual([headings.length, headings.at(-1)?.id], [1000, 'a-999'])
  assert.match(html.text, /<h2 id="a-1499">/)
})

test('nesting does not increase the length of headings and labels', () => {
  for (const [start, end] of [
    ['<div><h2>', '</h2></div>'],
    ['<table><caption>', '</caption></table>'],
    ['<li class="task-list-item"><input type="checkbox" disabled><div>', '</div></li>'],
  ] as const) {
    const text = `${start.repeat(40)}${'!'.repeat(20_000)} ${end.repeat(40)}`
    const { html, headings } = renderMarkdown(text, CONTEXT)
    assert.ok(html.text.length < 60_000, `${start}: ${html.text.length}`)
    for (const heading of headings) assert.equal(heading.text, '!'.repeat(200))
  }
})

test('the id of a heading comes from its first 200 characters', () => {
  const { headings } = renderMarkdown(`# ${'a'.repeat(199)} b *c*\n\n# ${'é'.repeat(300)}`, CONTEXT)
  assert.deepEqual(headings, [
    { level: 1, id: 'a'.repeat(199), text: 'a'.repeat(199) },
    { level: 2, id: 'é'.repeat(200), text: 'é'.repeat(200) },
  ])
})
