import assert from 'node:assert/strict'
import test from 'node:test'
import { assertRendered, frameHtml, LAZY, renderedText } from '../rendered.ts'

const figure = (name: string, caption = '') =>
  `<figure>${frameHtml(`${name}.png`, `<img src="${name}.png" alt="${name}" ${LAZY}>`)}${caption && `<figcaption>${caption}</figcaption>`}</figure>`
const grid = (columns: number, ...figures: string[]) =>
  `<div class="pictures columns-${columns}">${figures.join('')}</div>`

test('a paragraph of several pictures is a grid, with their titles as captions', () =>
  assertRendered([
    ['![a](a.png "A") ![b](b.png)', grid(2, figure('a', 'A'), figure('b'))],
    ['![a](a.png)  \n![b](b.png)\n![c](c.png)', grid(3, figure('a'), figure('b'), figure('c'))],
    ['x ![a](a.png) ![b](b.png)', renderedText('x ![a](a.png) ![b](b.png)').replaceAll('figure', '')],
  ]))

test('a list of pictures is a grid, which keeps the text below each picture', () => {
  const list = (kind: string, ...items: string[]) =>
    `<ul class="pictures columns-2${kind}" role="list">${items.map(item => `<li>${item}</li>`).join('')}</ul>`
  assertRendered([
    ['- ![a](a.png "A")\n- ![b](b.png)', list('', figure('a', 'A'), figure('b'))],
    ['- ![a](a.png)\n\n- ![b](b.png)', list('', figure('a'), figure('b'))],
    ['- ![a](a.png)\n  x *y*\n- ![b](b.png)', list(' texts', `${figure('a')}<div>\nx <em>y</em></div>`, figure('b'))],
    ['- ![a](a.png)\n  [x](/y)\n', list(' texts', `${figure('a')}<div><a href="/y">x</a></div>`)],
    ['- ![a](a.png)\n\n  x\n\n  y\n', list(' texts', `${figure('a')}<div>\n<p>x</p>\n<p>y</p>\n</div>`)],
  ])
})

test('a list with an item without a picture, or with text next to it, is unchanged', () => {
  for (const source of [
    '- ![a](a.png)\n- b',
    '- ![a](a.png) b\n- ![c](c.png) d',
    '- a\n  ![b](b.png)',
    '- ![a](a.png) ![b](b.png)',
    '- [ ] ![a](a.png)',
    '-',
  ])
    assert.doesNotMatch(renderedText(source), /pictures/, source)
})

test('a grid has two to four columns, depending on the number, widths and text of its pictures', () => {
  const columns = (source: string) => /columns-\d/.exec(renderedText(source))?.[0]
  const images = (count: number, width: number, height = width) =>
    `<img src="a.png" width="${width}" height="${height}"> `.repeat(count)
  for (const [count, width, height, wanted] of [
    [2, 40, 40, 2],
    [3, 40, 40, 3],
    [8, 40, 40, 4],
    [3, 400, 400, 3],
    [4, 400, 400, 2],
    [5, 400, 400, 3],
    [6, 400, 100, 2],
  ] as const)
    assert.equal(columns(images(count, width, height)), `columns-${wanted}`, `${count} of ${width} × ${height}`)
  assert.equal(columns('- ![](a.png)\n  text\n'.repeat(8)), 'columns-3')
})
