import assert from 'node:assert/strict'
import test from 'node:test'
import { readMarkdown } from '#intake/markdown/markdown.ts'
import { renderMarkdown } from '#site/markdown/markdown.ts'
import { housestyle } from '../../cli/housestyle.ts'
import { type Contents, folderWith } from '../../support/temporary.ts'

async function warnings(contents: Contents): Promise<string[]> {
  const { stdout } = await housestyle(['check', await folderWith(contents), '--json'])
  const all: { path: string; line: number; severity: string; rule: string }[] = JSON.parse(stdout)
  return all.map(({ path, line, severity, rule }) => `${path}:${line} ${severity} ${rule}`)
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
    assert.deepEqual(
      ids.filter(id => !readMarkdown(text).anchors.includes(id)),
      [],
      JSON.stringify(text),
    )
  }
})
