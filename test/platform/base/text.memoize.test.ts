import assert from 'node:assert/strict'
import test from 'node:test'
import { memoize } from '#platform/base/text.ts'

test('results are cached, except for long strings, and the cache is cleared when it is full', () => {
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
