import assert from 'node:assert/strict'
import test from 'node:test'
import type { Theme } from '#brand/appearance.ts'
import { isStyleId } from '#brand/ids.ts'
import { contrastOf, textColorOn, themePairs } from '#brand/styles/contrast.ts'
import { fc, forAll } from '../../support/random.ts'

const CASES = [
  ['#000000', '#ffffff', '21.00', 'AAA'],
  ['#0000ff', '#ffffff', '8.59', 'AAA'],
  ['#595959', '#ffffff', '7.00', 'AAA'],
  ['#5a5a5a', '#ffffff', '6.89', 'AA'],
  ['#767676', '#ffffff', '4.54', 'AA'],
  ['#777777', '#ffffff', '4.47', 'AA large'],
  ['#949494', '#ffffff', '3.03', 'AA large'],
  ['#959595', '#ffffff', '2.99', 'fails'],
  ['#ff0000', '#ffffff', '3.99', 'AA large'],
  ['#1d70b8', '#1d70b8', '1.00', 'fails'],
  ['#0a0a0a', '#000000', '1.06', 'fails'],
] as const

for (const [one, other, text, level] of CASES)
  test(`${one} and ${other} have a contrast of ${text}, ${level}`, () => {
    const { ratio, ...rest } = contrastOf(one, other)
    assert.deepEqual(rest, { text, level })
    assert.deepEqual(contrastOf(other, one), { ratio, text, level })
  })

test('a contrast is from 1 to 21, and is never rounded up', async () => {
  const hex = fc.integer({ min: 0, max: 0xffffff }).map(number => `#${number.toString(16).padStart(6, '0')}`)
  await forAll([hex, hex], (one, other) => {
    const { ratio, text } = contrastOf(one, other)
    assert.ok(ratio >= 1 && ratio < 21.000001)
    assert.ok(Number(text) <= ratio + 1e-9 && Number(text) > ratio - 0.01)
  })
})

test('the better of black and white text reaches AA on any colour', async () => {
  assert.deepEqual(['#000000', '#cc3a06', '#faf7f2', '#818d98'].map(textColorOn), ['white', 'white', 'black', 'black'])
  const hex = fc.integer({ min: 0, max: 0xffffff }).map(number => `#${number.toString(16).padStart(6, '0')}`)
  await forAll([hex], ground => {
    const letters = textColorOn(ground) === 'black' ? '#000000' : '#ffffff'
    assert.ok(contrastOf(letters, ground).ratio >= 4.58)
  })
})

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
