import assert from 'node:assert/strict'
import test from 'node:test'
import { leftOutOf } from '../../src/export/left-out.ts'

test('what is left out for one reason is one sentence, with the first names of many', () => {
  assert.deepEqual(leftOutOf('font', [], 'no'), [])
  assert.deepEqual(leftOutOf('font', ['a'], 'no'), ['1 font (a): no'])
  assert.deepEqual(leftOutOf('font', ['a', 'b', 'c', 'd', 'e', 'f', 'g'], 'no'), [
    '7 fonts (a, b, c, d, e and 2 more): no',
  ])
  assert.ok((leftOutOf('font', ['x'.repeat(1000)], 'no')[0] ?? '').length < 130)
})
