import assert from 'node:assert/strict'
import { test } from 'node:test'
import { field, perObject } from '#platform/base/object.ts'

test('field reads a value of unknown shape, and returns undefined if the field is absent', () => {
  assert.equal(field({ a: 1 }, 'a'), 1)
  assert.equal(field({ a: 1 }, 'b'), undefined)
  for (const value of [undefined, null, 1, 'a']) assert.equal(field(value, 'length'), undefined)
})

test('a value per object is made once, and a promise of it again after a failure', async () => {
  let calls = 0
  const made = perObject(async (key: object, isFailing: boolean) => {
    calls++
    if (isFailing) throw new Error('lost')
    return key
  })
  const [one, other] = [{}, {}]
  assert.equal(made(one, false), made(one, true))
  await assert.rejects(made(other, true), /^Error: lost$/)
  assert.equal(await made(other, false), other)
  assert.equal(calls, 3)
})
