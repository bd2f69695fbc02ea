import assert from 'node:assert/strict'
import test from 'node:test'
import { describeOmission } from '#delivery/export/format.ts'

test('items that are omitted for one reason are listed in one sentence with the first names', () => {
  assert.deepEqual(describeOmission('font', [], 'no'), [])
  assert.deepEqual(describeOmission('font', ['a'], 'no'), ['1 font (a): no'])
  assert.deepEqual(describeOmission('font', ['a', 'b', 'c', 'd', 'e', 'f', 'g'], 'no'), [
    '7 fonts (a, b, c, d, e and 2 more): no',
  ])
  assert.ok((describeOmission('font', ['x'.repeat(1000)], 'no')[0] ?? '').length < 130)
})
