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

const shown = (source: string) =>
  renderedText(source)
    .replace(/<svg.*?<\/svg>/gs, '§')
    .replace(/\n/g, '')
const judged = (name: string, kind: 'do' | 'dont', text = '') => {
  const word = `<strong>${kind === 'do' ? 'Do' : 'Don’t'}${text && ':'}</strong>${text && ` ${text}`}`
  const picture = frameHtml(`${name}.png`, `<img src="${name}.png" alt="${name}" ${LAZY}>`)
  return `<figure class="${kind}">${picture}<figcaption>§${word}</figcaption></figure>`
}

test('a picture with a verdict is on a separate line anywhere in a paragraph', () => {
  for (const [source, html] of [
    ['![a](a.png "Don\'t: x") b *c*', `<div>${judged('a', 'dont', 'x')}<p>b <em>c</em></p></div>`],
    ['b ![a](a.png "Do: x") c', `<div><p>b </p>${judged('a', 'do', 'x')}<p>c</p></div>`],
    ['b\n![a](a.png "Do")', `<div><p>b</p>${judged('a', 'do')}</div>`],
    [
      '![a](a.png "Do: x") ![b](b.png "Don’t: y") c',
      `<div><div class="pictures columns-2">${judged('a', 'do', 'x')}${judged('b', 'dont', 'y')}</div><p>c</p></div>`,
    ],
  ] as const)
    assert.equal(shown(source).replace(/<p> */g, '<p>'), html, source)
})

test('a picture with a verdict is on a separate line in list items and table cells', () => {
  assert.match(
    shown('- ![a](a.png "Don\'t: x") b\n- ![c](c.png "Do: y") d'),
    /^<ul class="pictures columns-2 texts" role="list"><li><figure class="dont">.*<div> b<\/div><\/li><li>/,
  )
  assert.equal(shown('- a\n- ![a](a.png "Do: x") b'), `<ul><li>a</li><li>${judged('a', 'do', 'x')} b</li></ul>`)
  assert.match(shown('| A |\n|-|\n| ![a](a.png "Don\'t: x") b |'), /<td><figure class="dont">.*<\/figure> b<\/td>/)
  assert.match(shown('| Do | Don\'t |\n|-|-|\n| ![a](a.png "Do: x") b | c |'), /<\/figure><div> b<\/div><\/td>/)
})

test('any other picture stays in the text', () => {
  for (const source of ['![a](a.png "x") b', '![a](a.png "Done: x") b', '[![a](a.png "x")](/y) b'])
    assert.doesNotMatch(shown(source), /figure/, source)
})
