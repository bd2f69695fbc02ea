import assert from 'node:assert/strict'
import test from 'node:test'
import { jsonBytes } from '../../src/api/json-bytes.ts'
import { fc } from '../support/random.ts'
import { turnsDuring } from '../support/turns.ts'

test('a body has the same bytes, written in steps or at once', async () => {
  const long = Array.from({ length: 1501 }, (_, at) => ({ id: `ü-${at}`, at }))
  const body = fc.dictionary(fc.string(), fc.oneof(fc.jsonValue(), fc.array(fc.jsonValue()), fc.constant(long)))
  await fc.assert(
    fc.asyncProperty(body, async value => {
      assert.equal(new TextDecoder().decode(await jsonBytes(value)), JSON.stringify(value))
    }),
  )
})

test('writing a list yields to other work', async () => {
  const slow = {
    toJSON: () => {
      for (const end = performance.now() + 3; performance.now() < end; );
      return 1
    },
  }
  const turns = await turnsDuring(() => jsonBytes({ list: Array(10).fill(slow) }))
  assert.ok(turns >= 9, `${turns} turns`)
})
