import assert from 'node:assert/strict'
import test from 'node:test'
import { treeHtml } from '#site/cards/element.ts'
import { proportionStrip } from '#site/cards/proportion-strip.ts'
import { wordsFor } from '#site/words/words.ts'

const WORDS = wordsFor('en')

function drawStrip(...proportions: number[]): [x: string, width: string][] {
  const shares = proportions.map(proportion => ({ hex: '#1d70b8', letters: '#ffffff', proportion, line: [] }))
  const { text } = treeHtml(proportionStrip(WORDS, shares))
  return Array.from(text.matchAll(/<rect x="([^"]+)" width="([^"]+)"/g), ([, x = '', width = '']) => [x, width])
}

test('each share has its part of the strip, in order', () => {
  assert.deepEqual(drawStrip(60, 30, 10), [
    ['0%', '60%'],
    ['60%', '30%'],
    ['90%', '10%'],
  ])
})

test('shares below 100 % leave the rest empty, and shares above 100 % are scaled to fit', () => {
  assert.deepEqual(drawStrip(50, 0, 25), [
    ['0%', '50%'],
    ['50%', '25%'],
  ])
  assert.deepEqual(drawStrip(100, 100), [
    ['0%', '50%'],
    ['50%', '50%'],
  ])
})

test('a wide share shows its number on the strip in the letters of its colour, and every share in the list below', () => {
  const shares = [
    { hex: '#faf7f2', letters: '#14212b', proportion: 92, line: [{ type: 'text', value: 'Paper' } as const] },
    { hex: '#14212b', letters: '#faf7f2', proportion: 4, line: [{ type: 'text', value: '<Ink>' } as const] },
    { hex: '#ad7f26', letters: '#14212b', proportion: 4, line: [{ type: 'text', value: 'Brass' } as const] },
  ]
  const { text } = treeHtml(proportionStrip(WORDS, shares))
  assert.deepEqual(text.match(/<text.*?<\/text>/g), [
    '<text class="tile-name" x="0%" y="100%" dx="12" dy="-12" fill="#14212b">92%</text>',
  ])
  assert.match(text, /<ul aria-label="Proportions"><li>.*Paper<\/li><li>.*&#60;Ink&#62;<\/li><li>.*Brass<\/li><\/ul>/)
})
