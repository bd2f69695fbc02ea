import assert from 'node:assert/strict'
import test from 'node:test'
import { renderMarkdown } from '#site/markdown/markdown.ts'
import { assertRendered, CONTEXT } from './rendered.ts'

test('a heading has an id and a link to itself', () =>
  assertRendered([
    ['## Clear *space*', '<h2 id="clear-space">Clear <em>space</em>¶clear-space¶</h2>'],
    ['### Größe & Maß: 2,5 %', '<h3 id="größe--maß-25-">Größe &#x26; Maß: 2,5 %¶größe--maß-25-¶</h3>'],
    ['# ロゴ', '<h1 id="ロゴ">ロゴ¶ロゴ¶</h1>'],
    ['## snake_case `code`', '<h2 id="snake_case-code">snake_case <code>code</code>¶snake_case-code¶</h2>'],
    ['## !', '<h2 id="section">!¶section¶</h2>'],
    ['## a\n## a\n## a-1\n## a', heads('a', 'a-1', 'a-1-1', 'a-2', ['a', 'a', 'a-1', 'a'])],
    [
      '<h2 id="old">New</h2>\n\n[a](#old)',
      `<h2 id="new"><span id="user-content-old"></span>New¶new¶</h2>\n<p><a href="#user-content-old">a</a></p>`,
    ],
    ['<a href="/x">\n<h2>a</h2>\n</a>', '<a href="/x">\n<h2 id="a">a</h2>\n</a>'],
  ]))

test('a heading has the id that its author writes at its end, without the mark', () =>
  assertRendered([
    ['## Clear space {#space}', '<h2 id="space">Clear space¶space¶</h2>'],
    ['## Größe {: #min } ##', '<h2 id="min">Größe¶min¶</h2>'],
    ['Print {:#print}\n---', '<h2 id="print">Print¶print¶</h2>'],
    ['## A *b* {/* #c */}', '<h2 id="c">A <em>b</em>¶c¶</h2>'],
    ['## B\n## A {#b}', '<h2 id="b">B¶b¶</h2>\n<h2 id="b-1">A¶b-1¶</h2>'],
    ['## Clear {#clear space}', '<h2 id="clear">Clear¶clear¶</h2>'],
    ['## A {#gro\u0308\u00dfe}', '<h2 id="größe">A¶größe¶</h2>'],
    ['## Write `{#x}`', '<h2 id="x">Write <code>{#x}</code>¶x¶</h2>'],
    ['## A {b} and {#c} d', '<h2 id="a-b-and-c-d">A {b} and {#c} d¶a-b-and-c-d¶</h2>'],
    ['<h2>A {#b}</h2>', '<h2 id="b">A¶b¶</h2>'],
  ]))

test('ids of headings and links to them are in NFC', () =>
  assertRendered([
    [
      '## Gro\u0308\u00dfe\n\n[a](#gro\u0308\u00dfe), [b](/page#gro%CC%88%C3%9Fe)',
      '<h2 id="größe">Gro\u0308\u00dfe¶größe¶</h2>\n<p><a href="#gr%C3%B6%C3%9Fe">a</a>, <a href="/page#gr%C3%B6%C3%9Fe">b</a></p>',
    ],
    [
      '<a id="o\u0308"></a>\n\n[a](#ö)',
      '<p><a id="user-content-o\u0308"></a></p>\n<p><a href="#user-content-o%CC%88">a</a></p>',
    ],
  ]))

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

function heads(...parts: [string, string, string, string, string[]]): string {
  const [, , , , texts] = parts
  return texts.map((text, at) => `<h2 id="${parts[at]}">${text}¶${parts[at]}¶</h2>`).join('\n')
}
