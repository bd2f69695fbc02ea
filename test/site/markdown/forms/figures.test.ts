import assert from 'node:assert/strict'
import test from 'node:test'
import { isStyleId } from '#brand/ids.ts'
import { renderMarkdown } from '#site/markdown/markdown.ts'
import { assertRendered, frameHtml, LAZY } from '../rendered.ts'

const image = (name: string, more = '') => `<img src="${name}.png" alt="${name}"${more} ${LAZY}>`

test('a paragraph with only a picture is a figure, with its title as the caption and a link to its file', () =>
  assertRendered([
    ['![a](a.png "The *c*")', `<figure>${frameHtml('a.png', image('a'))}<figcaption>The *c*</figcaption></figure>`],
    ['![a](a.png)', `<figure>${frameHtml('a.png', image('a'))}</figure>`],
    ['<img src="a.png" alt="a">', `<figure>${frameHtml('a.png', image('a'))}</figure>`],
    ['![](a.png)', `<figure>${frameHtml('a.png', `<img src="a.png" alt="" ${LAZY}>`, 'Picture')}</figure>`],
    ['> ![a](a.png)', `<blockquote>\n<figure>${frameHtml('a.png', image('a'))}</figure>\n</blockquote>`],
    [
      '<figure>\n\n![a](a.png)\n\n<figcaption>c</figcaption>\n</figure>',
      `<figure>\n<p>${image('a')}</p>\n<figcaption>c</figcaption>\n</figure>`,
    ],
  ]))

test('a picture in a link keeps that link', () =>
  assertRendered([
    [
      '[![a](a.png "c")](/d)',
      `<figure><a href="/d" class="picture">${image('a')}</a><figcaption>c</figcaption></figure>`,
    ],
    [
      '<a href="/d">\n\n![a](a.png)\n\n</a>',
      `<a href="/d">\n<figure><span class="picture">${image('a')}</span></figure>\n</a>`,
    ],
  ]))

test('a picture for light pages next to one for dark pages is one figure', () => {
  const pair = image('a', ' class="only-light"') + image('b', ' class="only-dark"')
  const figure = `<figure>${frameHtml('a.png', pair)}<figcaption>c</figcaption></figure>`
  assertRendered([
    ['![a](a.png#gh-light-mode-only) ![b](b.png#gh-dark-mode-only "c")', figure],
    [
      '<picture>\n<source media="(prefers-color-scheme: dark)" srcset="b.png">\n<img src="a.png" alt="a" title="c">\n</picture>',
      figure.replace('alt="b"', 'alt="a"'),
    ],
  ])
})

test('a picture has the background colour of its file, which fills its frame', () => {
  const ground = 'ink'
  assert.ok(isStyleId(ground))
  const pictures = new Map([['/a.png', { width: 2, height: 1, ground }]])
  const shown = (source: string) => renderMarkdown(source, { name: 'Page', pictures }).html.text
  const sized = `alt="a" width="2" height="1" ${LAZY}`
  assert.equal(
    shown('![a](/a.png)'),
    `<figure>${frameHtml('/a.png', `<img src="/a.png" ${sized}>`).replace('enlarge', 'enlarge ground-ink')}</figure>`,
  )
  assert.match(shown('b ![a](/a.png)'), /<img src="\/a.png" alt="a" class="ground-ink" width="2"/)
})
