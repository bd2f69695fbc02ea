import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainText } from '../../../src/brand/markdown/markdown-text.ts'
import { fc, scale } from '../../support/random.ts'

/** A simpler expression for the removed marks, which takes quadratic time. */
const MARKS = /\*+|~~|(?<![\p{L}\p{N}_])_+(?=\S)|(?<=\S)_+(?![\p{L}\p{N}_])/gu

test('marks of emphasis are removed, and underscores within words stay', () => {
  for (const [text, plain] of [
    ['_a_ __b__ *c* ~~d~~', 'a b c d'],
    ['snake_case a__b', 'snake_case a__b'],
    ['a _ b', 'a _ b'],
    ['(_a_)._', '(a).'],
    ['a __ b', 'a  b'],
  ] as const)
    assert.equal(plainText(text, 'kept'), plain, text)
})

test('the linear-time expression removes the same underscores as the simple one in any text', () => {
  const text = fc.array(fc.constantFrom('_', '__', 'a', '1', 'é', '色', '🎨', ' ', '\n', '\u0301', '.', '*', '~', '-'))
  fc.assert(
    fc.property(text, pieces => {
      const whole = pieces.join('')
      assert.equal(plainText(whole, 'kept'), whole.replace(MARKS, ''))
    }),
    { numRuns: scale(2000) },
  )
})
