import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseEncoding, ENCODINGS } from '#platform/exchange/encoding.ts'
import { golden } from '../../support/golden.ts'
import { fc, forAll } from '../../support/random.ts'

golden('exchange/encoding', ({ asked }: { asked?: string }) => {
  const [first, second] = [chooseEncoding(asked), chooseEncoding(asked)]
  return first === second ? first : [first, second]
})

test('every Accept-Encoding gives an available coding', () =>
  forAll([fc.string()], asked => ENCODINGS.includes(chooseEncoding(asked))))

test('the order of codings with the same quality makes no difference', () =>
  forAll([fc.uniqueArray(fc.constantFrom('br', 'gzip', 'identity', 'deflate', 'zstd'), { minLength: 1 })], names => {
    assert.equal(chooseEncoding(names.join(', ')), chooseEncoding(names.toReversed().join(', ')))
  }))
