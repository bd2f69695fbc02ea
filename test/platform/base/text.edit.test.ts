import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyEdits } from '#platform/base/text.ts'

test('edits replace their parts of the text, in any order', () => {
  const edits = [
    { start: 5, end: 6, text: '' },
    { start: 0, end: 1, text: 'long ' },
    { start: 3, end: 3, text: '|' },
  ]
  assert.equal(applyEdits('abcdef', edits), 'long bc|de')
  assert.equal(applyEdits('abc', []), 'abc')
})

test('of edits that overlap, the first in the text is applied', () => {
  const at = (start: number, end: number) => ({ start, end, text: `${start}` })
  assert.equal(applyEdits('abcdef', [at(4, 6), at(2, 3), at(4, 6), at(1, 4), at(3, 5)]), 'a14')
})

test('100,000 edits are applied', () => {
  const text = 'ab'.repeat(100_000)
  const edits = Array.from({ length: 100_000 }, (_, at) => ({ start: 2 * at, end: 2 * at + 1, text: 'x' }))
  assert.equal(applyEdits(text, edits), 'xb'.repeat(100_000))
})
