import assert from 'node:assert/strict'
import test from 'node:test'
import { memoize } from '../../src/base/text.ts'

test('what was made of a text is kept, of long ones not, and all is forgotten once there are too many', () => {
  const asked: string[] = []
  const length = memoize(
    text => {
      asked.push(text)
      return { length: text.length }
    },
    { maxEntries: 2 },
  )
  const long = 'x'.repeat(1000)
  assert.equal(length('a'), length('a'))
  assert.deepEqual(length(long), length(long))
  assert.deepEqual(asked, ['a', long, long])
  for (const text of ['b', 'c', 'a']) length(text)
  assert.deepEqual(asked.slice(3), ['b', 'c', 'a'])
})
