import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseEncoding, ENCODINGS } from '#platform/exchange/encoding.ts'
import { fc, forAll } from '../../support/random.ts'

const CASES: readonly [acceptEncoding: string | undefined, encoding: string][] = [
  [undefined, 'identity'],
  ['', 'identity'],
  ['br', 'br'],
  ['gzip', 'gzip'],
  ['identity', 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['br, gzip', 'br'],
  ['GZIP', 'gzip'],
  ['gzip;q=1.0, br;q=0.9', 'gzip'],
  ['gzip;q=0.5, br;q=0.5', 'br'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0.001', 'br'],
  ['identity;q=1, br;q=0.5', 'identity'],
  ['*', 'br'],
  ['*, br;q=0', 'gzip'],
  ['*;q=0.1, gzip', 'gzip'],
  ['deflate', 'identity'],
  ['deflate, zstd', 'identity'],
  ['br;q=0, gzip;q=0', 'identity'],
  ['identity;q=0', 'identity'],
  ['*;q=0', 'identity'],
  ['identity;q=0, gzip', 'gzip'],
  [' br ; q=0.2 ,gzip ; q=0.8', 'gzip'],
  [',,;;=q', 'identity'],
]

for (const [acceptEncoding, encoding] of CASES) {
  const asked = acceptEncoding === undefined ? 'without Accept-Encoding' : `to Accept-Encoding "${acceptEncoding}"`
  test(`a reply ${asked} is sent as ${encoding}`, () => {
    assert.equal(chooseEncoding(acceptEncoding), encoding)
    assert.equal(chooseEncoding(acceptEncoding), encoding, 'the second time')
  })
}

test('every Accept-Encoding gives an available coding', () =>
  forAll([fc.string()], asked => ENCODINGS.includes(chooseEncoding(asked))))

test('the order of codings with the same quality makes no difference', () =>
  forAll([fc.uniqueArray(fc.constantFrom('br', 'gzip', 'identity', 'deflate', 'zstd'), { minLength: 1 })], names => {
    assert.equal(chooseEncoding(names.join(', ')), chooseEncoding(names.toReversed().join(', ')))
  }))
