import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainText } from '../../../src/brand/markdown/markdown-text.ts'
import { fc, scale } from '../../support/random.ts'

/** What is removed, said simply, and in quadratic time. */
const MARKS = /\*+|~~|(?<![\p{L}\p{N}_])_+(?=\S)|(?<=\S)_+(?![\p{L}\p{N}_])/gu

test('marks of emphasis go, and underscores within words stay', () => {
  for (const [text, plain] of [
    ['_a_ __b__ *c* ~~d~~', 'a b c d'],
    ['snake_case a__b', 'snake_case a__b'],
    ['a _ b', 'a _ b'],
    ['(_a_)._', '(a).'],
    ['a __ b', 'a  b'],
  ] as const)
    assert.equal(plainText(text, 'kept'), plain, text)
})

test('in any text the same underscores go as before the expression for them took linear time', () => {
  const text = fc.array(fc.constantFrom('_', '__', 'a', '1', 'é', '色', '🎨', ' ', '\n', '\u0301', '.', '*', '~', '-'))
  fc.assert(
    fc.property(text, pieces => {
      const whole = pieces.join('')
      assert.equal(plainText(whole, 'kept'), whole.replace(MARKS, ''))
    }),
    { numRuns: scale(20_000) },
  )
})
