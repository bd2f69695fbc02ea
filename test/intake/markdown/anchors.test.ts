import assert from 'node:assert/strict'
import test from 'node:test'
import { readMarkdown } from '#intake/markdown/markdown.ts'
import { renderMarkdown } from '#site/markdown/markdown.ts'
import type { Contents } from '../../support/temporary.ts'
import { draftOf, lines, read } from '../reading.ts'

async function warnings(contents: Contents): Promise<string[]> {
  return lines((await read(contents)).findings)
}

const TARGET = `---
title: Target
---

# Clear space
## Clear space
Größe & Co.
---
<a id="here"></a> and <a name=there></a>

<h3>Raw &amp; <em>HTML</em></h3>
<div id='block'>x</div>

Text[^1]

[^1]: Note
`

test('a link to a missing heading is a warning at its line, on the same page and on others', async () => {
  const index =
    '---\ntitle: A\n---\n\n# Top things\n\n[x](#top-thing)\n[y](target.md#clear)\n[z](target#Clear-space "t")\n\n[r]\n\n[r]: target.md#no\n'
  assert.deepEqual(await warnings({ 'pages/index.md': index, 'pages/target.md': TARGET }), [
    'pages/index.md:7 warning link-heading-missing',
    'pages/index.md:8 warning link-heading-missing',
    'pages/index.md:9 warning link-heading-missing',
    'pages/index.md:13 warning link-heading-missing',
  ])
  assert.deepEqual(await warnings({ 'pages/a.md': '<a href="#gone">x</a>\n' }), [
    'pages/a.md:1 warning link-heading-missing',
  ])
})

test('headings, repeated headings, ids and names in HTML, footnotes and the top are valid anchors', async () => {
  const places = [
    ...'clear-space|clear-space-1|größe--co|gr%C3%B6%C3%9Fe--co|here|there|raw--html|block||top'.split('|'),
    ...':~:text=x|clear-space:~:text=x|fn-1'.split('|'),
  ]
  const links = places.map(place => `[x](target.md#${place})\n[y](/target?a=b#${place})\n`).join('\n')
  assert.deepEqual(await warnings({ 'pages/index.md': links, 'pages/target.md': TARGET }), [])
})

test('a link may name the id that a heading ends with, composed or decomposed', async () => {
  const page = '# A {#top-of-it}\n\n## Maße {: #maße }\n\n## Gro\u0308\u00dfe\n\n## 색상 {/* #color */}\n'
  const links = ['top-of-it', 'ma\u00dfe', 'größe', 'gro\u0308\u00dfe', 'gr%C3%B6%C3%9Fe', 'color']
  const text = links.map(id => `[x](target.md#${id})\n`).join('\n')
  assert.deepEqual(await warnings({ 'pages/index.md': text, 'pages/target.md': page }), [])
})

test('an invalid, doubled or extended id of a heading is a warning at its line', () => {
  const { anchors, problems } = readMarkdown(
    '# A {#a}\n\n## B {#a}\n\n## C {#c d}\n\n## D {#d .lead}\n\n## E {#fn-1}\n\n## F {f}\n\n    ## G {#a}\n\n`{#a b}`',
  )
  assert.deepEqual(anchors, ['a', 'a-1', 'c', 'd', 'e', 'f-f'])
  const seen = problems.map(({ rule, line, message }) => `${line} ${rule} ${message}`)
  assert.deepEqual(seen, [
    '3 heading-id "{#a}" is already the id of another heading of this page, so this one is "a-1": write another id',
    '5 heading-id "{#c d}" is not a valid id, so the heading has the id "c": write letters, digits and hyphens, as in {#clear-space}',
    '7 heading-id "{#d .lead}" has attributes that have no effect here: write {#d}',
    '9 heading-id "{#fn-1}" is not a valid id, so the heading has the id "e": write letters, digits and hyphens, as in {#clear-space}',
  ])
})

test('a page is named after its first heading without the id', async () => {
  const [page] = (await draftOf({ 'pages/a.md': '# Logo {#logo}\n' })).pages
  assert.equal(page?.name, 'Logo')
})

test('fragments are not checked in code or in links to other sites, files and missing pages', async () => {
  const text = '[a](https://x.example/#y) [b](mailto:a@b.example#y) `[c](#y)` [d](../files/a.txt#y)\n\n    [e](#y)\n'
  assert.deepEqual(await warnings({ 'pages/a.md': text, 'files/a.txt': '' }), [])
  assert.deepEqual(await warnings({ 'pages/a.md': '[x](gone.md#y)\n' }), ['pages/a.md:1 warning link-broken'])
})

test('the import finds the ids that the website gives headings', () => {
  const texts = [
    '# A\n\n## A\n\n# A-1\n\n### `code` *and* **b** ~~c~~',
    '# [link](x.md) and ![picture](a.svg) end\n\nTitle\n===\n\n> ## In *quotes*\n\n- # In a list\n',
    '# &amp; &copy; \\* 日本語 Ärger — 100 % 👍 snake_case\n\n# !!!\n\n#\n\n# <em>x</em> <span>y</span>',
    '<h2>Raw <b>one</b></h2>\n\n# Raw one\n\nfoo <b>x</b>\n\n# https://example.com/a_b_c',
    `# ${'long word '.repeat(60)}\n\n# a[^1]\n\n[^1]: b\n`,
  ]
  for (const text of texts) {
    const ids = renderMarkdown(text, { name: 'Page', pictures: new Map() }).headings.map(({ id }) => id)
    const unexpected = ids.filter(id => !readMarkdown(text).anchors.includes(id))
    assert.deepEqual(unexpected, [], JSON.stringify(text))
  }
})
