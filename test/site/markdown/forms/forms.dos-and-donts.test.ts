import assert from 'node:assert/strict'
import test from 'node:test'
import { frameHtml, LAZY, renderedText } from '../rendered.ts'

const shown = (source: string) =>
  renderedText(source)
    .replace(/<svg.*?<\/svg>/gs, '§')
    .replace(/\n/g, '')
const image = frameHtml('a.png', `<img src="a.png" alt="x" ${LAZY}>`)

test('a table with the headers Do and Don’t, in either order, has signs in its head and bars on its cells', () => {
  assert.equal(
    shown('| Do | Don\'t |\n|-|-|\n| ![x](a.png "c")<br>y | z |'),
    `<div class="table" role="region" aria-label="Table" tabindex="0"><table class="judged"><thead><tr><th class="do">§Do</th><th class="dont">§Don’t</th></tr></thead><tbody><tr><td class="do"><figure>${image}<figcaption>c</figcaption></figure><div>y</div></td><td class="dont">z</td></tr></tbody></table></div>`,
  )
  assert.match(shown('| **Don’t** | do |\n|-|-|\n| a | b |'), /<td class="dont">a<\/td><td class="do">b<\/td>/)
})

test('a first column may label the rows with header cells', () => {
  const table = shown("| | Don't | Do |\n|-|-|-|\n| Size | ![x](a.png) | z |\n| | b | c |")
  assert.match(table, /<table class="judged labelled">/)
  assert.match(table, /<thead><tr><td><\/td><th class="dont">§Don’t<\/th><th class="do">§Do<\/th><\/tr><\/thead>/)
  assert.match(
    table,
    /<tr><th scope="row">Size<\/th><td class="dont"><figure>.*<\/figure><\/td><td class="do">z<\/td><\/tr>/,
  )
  assert.match(table, /<tr><td><\/td><td class="dont">b<\/td><td class="do">c<\/td><\/tr>/)
  assert.match(shown("| Topic | Do | Don't |\n|-|-|-|\n| a | b | c |"), /<th>Topic<\/th><th class="do">/)
})

test('a heading may have its own word after a colon, for languages that the website does not know', () => {
  const text = shown("| Do: افعل | Don't: لا تفعل |\n|-|-|\n| a | b |")
  assert.match(text, /<th class="do">§افعل<\/th><th class="dont">§لا تفعل<\/th>/)
})

test('any other table is unchanged', () => {
  for (const head of ['| Do | Do |', '| Do | Not |', '| Do | Don’t | Why |', '| Do |', '| Do it | Don’t |']) {
    const columns = '|-'.repeat(head.split('|').length - 2)
    assert.doesNotMatch(shown(`${head}\n${columns}|\n| a | b |`), /judged|class="do/, head)
  }
})

const spanned = (name: string) => `<span class="picture"><img src="${name}.png" alt="${name}" ${LAZY}></span>`
const slider =
  '<input type="range" min="0" max="100" value="50" aria-label="How much of the picture before is visible, in percent">'
const HEAD = '| Before | After |\n|---|---|\n'

test('a table headed Before and After with two pictures is a comparison with a labelled slider', () => {
  assert.equal(
    renderedText(`${HEAD}| ![a](a.png "2019") | [![b](b.png)](c.md) |`),
    `<div class="compare"><figure>${spanned('a')}<figcaption>Before: 2019</figcaption></figure><figure>${spanned('b')}<figcaption>After</figcaption></figure>${slider}</div>`,
  )
  const row = '| ![a](a.png) | ![b](b.png) |\n'
  assert.equal(renderedText(HEAD + row + row).match(/class="compare"/g)?.length, 2)
})

test('other tables stay tables', () => {
  for (const table of [
    `${HEAD}| ![a](a.png) | text |`,
    `${HEAD}| ![a](a.png) ![b](b.png) | ![c](c.png) |`,
    `${HEAD}| ![a](a.png) | ![b](https://other.example/b.png) |`,
    `${HEAD}| ![a](a.png) | ![b](b.png) |\n| a | b |`,
    '| After | Before |\n|---|---|\n| ![a](a.png) | ![b](b.png) |',
    '| Before | After | |\n|---|---|---|\n| ![a](a.png) | ![b](b.png) | ![c](c.png) |',
    HEAD,
  ])
    assert.match(renderedText(table), /<table>/, table)
})
