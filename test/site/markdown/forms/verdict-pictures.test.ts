import assert from 'node:assert/strict'
import test from 'node:test'
import { frameHtml, LAZY, renderedText } from '../rendered.ts'

const shown = (source: string) =>
  renderedText(source)
    .replace(/<svg.*?<\/svg>/gs, '§')
    .replace(/\n/g, '')
const figure = (name: string, kind: 'do' | 'dont', text = '') => {
  const word = `<strong>${kind === 'do' ? 'Do' : 'Don’t'}${text && ':'}</strong>${text && ` ${text}`}`
  const picture = frameHtml(`${name}.png`, `<img src="${name}.png" alt="${name}" ${LAZY}>`)
  return `<figure class="${kind}">${picture}<figcaption>§${word}</figcaption></figure>`
}

test('a picture with a verdict is on a separate line anywhere in a paragraph', () => {
  for (const [source, html] of [
    ['![a](a.png "Don\'t: x") b *c*', `<div>${figure('a', 'dont', 'x')}<p>b <em>c</em></p></div>`],
    ['b ![a](a.png "Do: x") c', `<div><p>b </p>${figure('a', 'do', 'x')}<p>c</p></div>`],
    ['b\n![a](a.png "Do")', `<div><p>b</p>${figure('a', 'do')}</div>`],
    [
      '![a](a.png "Do: x") ![b](b.png "Don’t: y") c',
      `<div><div class="pictures columns-2">${figure('a', 'do', 'x')}${figure('b', 'dont', 'y')}</div><p>c</p></div>`,
    ],
  ] as const)
    assert.equal(shown(source).replace(/<p> */g, '<p>'), html, source)
})

test('a picture with a verdict is on a separate line in list items and table cells', () => {
  assert.match(
    shown('- ![a](a.png "Don\'t: x") b\n- ![c](c.png "Do: y") d'),
    /^<ul class="pictures columns-2 texts" role="list"><li><figure class="dont">.*<div> b<\/div><\/li><li>/,
  )
  assert.equal(shown('- a\n- ![a](a.png "Do: x") b'), `<ul><li>a</li><li>${figure('a', 'do', 'x')} b</li></ul>`)
  assert.match(shown('| A |\n|-|\n| ![a](a.png "Don\'t: x") b |'), /<td><figure class="dont">.*<\/figure> b<\/td>/)
  assert.match(shown('| Do | Don\'t |\n|-|-|\n| ![a](a.png "Do: x") b | c |'), /<\/figure><div> b<\/div><\/td>/)
})

test('any other picture stays in the text', () => {
  for (const source of ['![a](a.png "x") b', '![a](a.png "Done: x") b', '[![a](a.png "x")](/y) b'])
    assert.doesNotMatch(shown(source), /figure/, source)
})
