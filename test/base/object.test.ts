import assert from 'node:assert/strict'
import { test } from 'node:test'
import { field } from '../../src/base/object.ts'

test('field reads a value of unknown shape, and returns undefined if the field is absent', () => {
  assert.equal(field({ a: 1 }, 'a'), 1)
  assert.equal(field({ a: 1 }, 'b'), undefined)
  for (const value of [undefined, null, 1, 'a']) assert.equal(field(value, 'length'), undefined)
})
