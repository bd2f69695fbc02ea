import assert from 'node:assert/strict'
import test from 'node:test'
import { renderMarkdown } from '#site/markdown/markdown.ts'
import { assertRendered, CONTEXT, EXTERNAL, renderedText } from './rendered.ts'

test('a link keeps its address, and a link to another site sends no referrer', () =>
  assertRendered([
    ['[a](/w/p/logo)', '<p><a href="/w/p/logo">a</a></p>'],
    ['[a](/w/p/logo?x=1#y "T")', '<p><a href="/w/p/logo?x=1#y" title="T">a</a></p>'],
    ['[a](https://example.org)', `<p><a href="https://example.org" ${EXTERNAL}>a</a></p>`],
    ['[a](HTTPS://EXAMPLE.ORG)', `<p><a href="HTTPS://EXAMPLE.ORG" ${EXTERNAL}>a</a></p>`],
    ['[a](//example.org)', `<p><a href="//example.org" ${EXTERNAL}>a</a></p>`],
    ['[a](mailto:a@example.org)', '<p><a href="mailto:a@example.org">a</a></p>'],
    ['[a](tel:+4930)', '<p><a href="tel:+4930">a</a></p>'],
    ['<a href="https://example.org" target="_blank">a</a>', `<p><a href="https://example.org" ${EXTERNAL}>a</a></p>`],
    ['[a](#top)', '<p><a href="#top">a</a></p>'],
    ['[a](#%E0%A4%A)', '<p><a href="#%E0%A4%25A">a</a></p>'],
    ['<a name="x y">b</a> [a](<#x y>)', '<p><a name="user-content-x y">b</a> <a href="#user-content-x%20y">a</a></p>'],
  ]))

test('an empty cell in the head of a table is not a header cell', () =>
  assertRendered([
    ['| | a |\n|-|-|', box('Table', '<table>\n<thead>\n<tr>\n<td></td>\n<th>a</th>\n</tr>\n</thead>\n</table>')],
  ]))

test('a table scrolls in a box that has a unique name', () =>
  assertRendered([
    [
      '| a |\n| -: |\n| b |\n\n<table><caption>Inks</caption><tr><td align="center">c</td></tr></table>',
      `${box('Table', '<table>\n<thead>\n<tr>\n<th align="right">a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td align="right">b</td>\n</tr>\n</tbody>\n</table>')}\n${box('Table 2: Inks', '<table><caption>Inks</caption><tbody><tr><td align="center">c</td></tr></tbody></table>')}`,
    ],
  ]))

test('a code block keeps its lines and its language', () => {
  const code = (source: string) => /<pre.*<\/pre>/s.exec(renderedText(source))?.[0]
  assert.equal(code('```js\na < b\n```'), '<pre tabindex="0"><code class="language-js">a &#x3C; b\n</code></pre>')
  assert.equal(code('```\n\na\n```'), '<pre tabindex="0"><code>\na\n</code></pre>')
  assert.equal(code('    a'), '<pre tabindex="0"><code>a\n</code></pre>')
})

test('a ratio or the sides of a picture stay on one line, except in code', () =>
  assertRendered([
    ['At 3 : 1, 60 × 40, 1: 2, `3 : 1`', '<p>At 3\u00a0:\u00a01, 60\u00a0×\u00a040, 1: 2, <code>3 : 1</code></p>'],
  ]))

test('the checkbox of a task has the text of the task as its label', () =>
  assertRendered([
    ['- [x] Ask **her**\n- [ ]\n', list(task(' checked', 'Ask her', 'Ask <strong>her</strong>'), '<li>[ ]</li>')],
    [
      '- [ ] a\n\n  b',
      `<ul class="contains-task-list">\n<li class="task-list-item">\n<p><input type="checkbox" disabled aria-label="a"> a</p>\n<p>b</p>\n</li>\n</ul>`,
    ],
    ['a <input type="text" value="b"><input type="checkbox" aria-label="b"> c', '<p>a  c</p>'],
  ]))

function box(label: string, table: string): string {
  return `<div class="table" role="region" aria-label="${label}" tabindex="0">${table}</div>`
}

function list(...items: string[]): string {
  return `<ul class="contains-task-list">\n${items.join('\n')}\n</ul>`
}

function task(checked: string, name: string, content: string): string {
  return `<li class="task-list-item"><input type="checkbox"${checked} disabled aria-label="${name}"> ${content}</li>`
}

test('code keeps the direction of a page that begins with a letter from right to left, also in links', () => {
  const cases: [markdown: string, name: string, marks: number][] = [
    ['# דף\n\n- `npm`\n- [`x`](y.md)\n- **`z`** and `z`\n- Run **`npm`**\n', 'Page', 3],
    ['- `npm`\n', 'صفحة', 1],
    ['# Page\n\n- `npm`\n- دف\n', 'صفحة', 0],
  ]
  for (const [markdown, name, marks] of cases) {
    const { html } = renderMarkdown(markdown, { ...CONTEXT, name, lang: 'en' })
    assert.deepEqual([markdown, html.text.split('\u200f').length - 1], [markdown, marks])
  }
})

test('in a guide from right to left, code without a letter before it keeps the direction of the guide', () => {
  const cases: [markdown: string, marks: number][] = [
    ['- `npm install`\n- 1. `x`\n  - `y`\n', 3],
    ['`git clone`\n\n# `code`\n', 2],
    ['- شغّل `npm` ثم\n- Run `npm`\n- no code\n- **Bold** `x`\n', 0],
  ]
  for (const [markdown, marks] of cases) {
    const count = (lang: string) => renderMarkdown(markdown, { ...CONTEXT, lang }).html.text.split('\u200f').length - 1
    const { title } = renderMarkdown(markdown, { ...CONTEXT, lang: 'ar' })
    const ofTitle = (title?.text ?? '').split('\u200f').length - 1
    assert.deepEqual([markdown, count('ar') + ofTitle, count('de')], [markdown, marks, 0])
  }
})

test('a small picture in a cell is marked, so that long texts beside it do not shrink it', () => {
  const html = renderedText('| A | B |\n|-|-|\n| ![a](/w/p/-/files/k/plain.png) | ![b](/w/p/-/files/k/logo.svg) |\n')
  assert.deepEqual(
    html.match(/<img [^>]*>/g)?.map(picture => /class="small"/.test(picture)),
    [true, false],
  )
})
