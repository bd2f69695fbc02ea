import assert from 'node:assert/strict'
import test from 'node:test'
import { assertRendered, renderedText } from '../rendered.ts'

const shown = (source: string) => renderedText(source).replace(/<svg.*?<\/svg>/gs, '§')

test('a quote with a GitHub mark is a note with its label and sign', () => {
  for (const [source, html] of [
    ['> [!NOTE]\n> a *b*', '<div class="callout note" role="note"><p>§Note</p><p>\na <em>b</em></p>\n</div>'],
    ['> [!tip]\n>\n> a', '<div class="callout tip" role="note"><p>§Tip</p>\n<p>a</p>\n</div>'],
    [
      '> [!WARNING]  \n> a\n>\n> - b',
      '<div class="callout warning" role="note"><p>§Warning</p><p>\na</p>\n<ul>\n<li>b</li>\n</ul>\n</div>',
    ],
    [
      '- > [!CAUTION]\n  > a',
      '<ul>\n<li>\n<div class="callout caution" role="note"><p>§Caution</p><p>\na</p>\n</div>\n</li>\n</ul>',
    ],
    ['> [!IMPORTANT]\\\n> a', '<div class="callout important" role="note"><p>§Important</p><p>\na</p>\n</div>'],
  ] as const)
    assert.equal(shown(source), html, source)
})

test('a quote remains a quote if its mark is unknown, on a line with text or without content', () => {
  for (const source of ['> [!NOTES]\n> a', '> [!NOTE] a', '> a\n> [!NOTE]', '> [!NOTE]', '> [!constructor]\n> a'])
    assert.match(shown(source), /^<blockquote>/, source)
})

const written = (name: string, label: string, more = '') =>
  `<details name="${name}"${more}>\n<summary>${label}</summary>\n\n*x*\n\n</details>\n\n`
const panel = (name: string, label: string, more = '') =>
  `<details name="user-content-${name}"${more}>\n<summary>${label}</summary>\n<p><em>x</em></p>\n</details>`
const tabs = (...panels: string[]) => `<div class="tabs">${panels.join('')}</div>`

test('adjacent details with the same name are tabs, one of them open', () =>
  assertRendered([
    [written('a', 'A') + written('a', 'B'), tabs(panel('a', 'A', ' open'), panel('a', 'B'))],
    [
      written('a', 'A') + written('a', 'B', ' open') + written('a', 'C', ' open'),
      tabs(panel('a', 'A'), panel('a', 'B', ' open'), panel('a', 'C')),
    ],
    [
      `${written('a', 'A')}${written('a', 'B')}c\n\n${written('b', 'A')}${written('b', 'B')}`,
      `${tabs(panel('a', 'A', ' open'), panel('a', 'B'))}\n<p>c</p>\n${tabs(panel('b', 'A', ' open'), panel('b', 'B'))}`,
    ],
    [
      `<div>\n\n${written('a', 'A')}${written('a', 'B')}</div>`,
      `<div>\n${tabs(panel('a', 'A', ' open'), panel('a', 'B'))}\n</div>`,
    ],
  ]))

test('details with different names, other content between them, no label or no neighbour are not tabs', () =>
  assertRendered([
    [written('a', 'A') + written('b', 'B'), `${panel('a', 'A')}\n${panel('b', 'B')}`],
    [`${written('a', 'A')}c\n\n${written('a', 'B')}`, `${panel('a', 'A')}\n<p>c</p>\n${panel('a', 'B')}`],
    [
      '<details name="a">x</details><details name="a">y</details>',
      '<details name="user-content-a">x</details><details name="user-content-a">y</details>',
    ],
    [
      '<details><summary>A</summary></details><details><summary>B</summary></details>',
      '<details><summary>A</summary></details><details><summary>B</summary></details>',
    ],
  ]))
