import assert from 'node:assert/strict'
import test from 'node:test'
import { renderedText } from '../rendered.ts'

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
  for (const source of [
    '> [!NOTES]\n> a',
    '> [!NOTE] a',
    '> [!NOTE]**a**',
    '> a\n> [!NOTE]',
    '> [!NOTE]',
    '> [!constructor]\n> a',
  ])
    assert.match(shown(source), /^<blockquote>/, source)
})
