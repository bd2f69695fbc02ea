import assert from 'node:assert/strict'
import test from 'node:test'
import { equalsInConstantTime } from '#platform/base/bytes.ts'

test('secrets are equal if all of their bytes are', () => {
  for (const [one, other, isEqual] of [
    ['', '', true],
    ['a', 'a', true],
    ['ä', 'ä', true],
    ['a', 'b', false],
    ['a', 'ab', false],
    ['', 'a', false],
  ] as const)
    assert.equal(equalsInConstantTime(one, other), isEqual, `${one} and ${other}`)
})
