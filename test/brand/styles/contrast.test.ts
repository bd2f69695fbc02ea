import assert from 'node:assert/strict'
import test from 'node:test'
import { contrastOf, textColorOn } from '#brand/styles/contrast.ts'
import { fc } from '../../support/random.ts'

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

test('a contrast is from 1 to 21, and is never rounded up', () => {
  const hex = fc.integer({ min: 0, max: 0xffffff }).map(number => `#${number.toString(16).padStart(6, '0')}`)
  fc.assert(
    fc.property(hex, hex, (one, other) => {
      const { ratio, text } = contrastOf(one, other)
      assert.ok(ratio >= 1 && ratio < 21.000001)
      assert.ok(Number(text) <= ratio + 1e-9 && Number(text) > ratio - 0.01)
    }),
  )
})

test('the better of black and white text reaches AA on any colour', () => {
  assert.deepEqual(['#000000', '#cc3a06', '#faf7f2', '#818d98'].map(textColorOn), ['white', 'white', 'black', 'black'])
  const hex = fc.integer({ min: 0, max: 0xffffff }).map(number => `#${number.toString(16).padStart(6, '0')}`)
  fc.assert(
    fc.property(hex, ground => {
      const letters = textColorOn(ground) === 'black' ? '#000000' : '#ffffff'
      assert.ok(contrastOf(letters, ground).ratio >= 4.58)
    }),
  )
})
