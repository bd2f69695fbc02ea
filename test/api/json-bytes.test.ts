import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { jsonBytes } from '../../src/api/json-bytes.ts'
import { turnsDuring } from '../support/turns.ts'

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
  const turns = await turnsDuring(() => jsonBytes({ list: Array.from({ length: 10_000 }, (_, at) => at) }))
  assert.ok(turns >= 20, `${turns} turns`)
})

test('a list of long texts is written in more steps than one of short texts', async () => {
  const turnsOf = (text: string) => turnsDuring(() => jsonBytes({ list: Array(500).fill(text) }))
  const [short, long] = [await turnsOf('a'), await turnsOf('a'.repeat(5000))]
  assert.ok(short <= 5 && long >= 15, `${short} and ${long} turns`)
})
