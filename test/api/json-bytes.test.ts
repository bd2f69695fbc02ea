import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { jsonBytes } from '../../src/api/json-bytes.ts'

test('a body that is written in steps has the bytes that it has when it is written at once', async () => {
  const long = Array.from({ length: 1501 }, (_, at) => ({ id: `ü-${at}`, at }))
  const body = fc.dictionary(fc.string(), fc.oneof(fc.jsonValue(), fc.array(fc.jsonValue()), fc.constant(long)))
  await fc.assert(
    fc.asyncProperty(body, async value => {
      assert.equal(new TextDecoder().decode(await jsonBytes(value)), JSON.stringify(value))
    }),
  )
})

test('others have their turn before a long list is written', async () => {
  let turns = 0
  let isDone = false
  const count = () => {
    turns++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  await jsonBytes({ list: Array.from({ length: 10_000 }, (_, at) => at) })
  isDone = true
  assert.ok(turns >= 20, `${turns} turns`)
})
