import assert from 'node:assert/strict'
import test from 'node:test'
import type { Theme } from '#brand/appearance.ts'
import { isStyleId } from '#brand/ids.ts'
import { themePairs } from '#brand/styles/contrast.ts'

function id(text: string) {
  assert.ok(isStyleId(text))
  return text
}

const COLORS = [
  { id: id('ink'), name: 'Ink', rgb: '20,33,43', hex: '#14212b' },
  { id: id('steel'), name: 'Steel', rgb: '129,141,152', hex: '#818d98' },
  { id: id('white'), name: 'White', rgb: '255,255,255', hex: '#ffffff' },
]

const themes: [theme: Theme, pairs: string[]][] = [
  [{}, []],
  [{ accent: id('steel') }, ['accent Steel on white 3.38']],
  [{ text: id('ink') }, ['text Ink on white 16.37']],
  [{ ground: id('ink') }, ['text the usual text on Ink 1.03']],
  [
    { text: id('white'), accent: id('steel'), ground: id('ink') },
    ['text White on Ink 16.37', 'accent Steel on Ink 4.83'],
  ],
]
for (const [theme, expected] of themes)
  test(`the theme ${JSON.stringify(theme)} has ${expected.length} pairs of text and background`, () => {
    const pairs = themePairs(theme, COLORS)
    const seen = pairs.map(({ letters, names, contrast }) => `${letters} ${names.join(' on ')} ${contrast.text}`)
    assert.deepEqual(seen, expected)
  })
