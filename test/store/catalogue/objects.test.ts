import assert from 'node:assert/strict'
import test from 'node:test'
import type { Hash } from '../../../src/brand/ids.ts'
import { hashOf, storedObject } from '../../../src/brand/snapshot.ts'
import { getObjects, OBJECTS_AT_ONCE, putObjects } from '../../../src/store/catalogue/objects.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const { database } = (await temporaryStore()).store
const objects = Array.from({ length: OBJECTS_AT_ONCE }, (_, at) => storedObject(Buffer.from(`Object ${at}`)))
await database.transaction(queries => putObjects(queries, 'acme', objects))
const [first, second] = objects
assert.ok(first && second)

async function textsOf(...hashes: Hash[]): Promise<string[]> {
  return Array.from(await getObjects(database, 'acme', hashes), bytes => Buffer.from(bytes).toString())
}

test('objects come in the order that they are asked for, also one that is asked for twice', async () => {
  assert.deepEqual(await textsOf(second.hash, first.hash, second.hash), ['Object 1', 'Object 0', 'Object 1'])
  assert.deepEqual(
    await textsOf(...objects.map(({ hash }) => hash)),
    objects.map((_, at) => `Object ${at}`),
  )
  assert.deepEqual(await textsOf(), [])
})

test('an object that the store has lost is named, and so is one of another workspace', async () => {
  const missing = hashOf(Buffer.from('missing'))
  await assert.rejects(textsOf(first.hash, missing), {
    message: new RegExp(`lost object ${missing} of workspace acme`),
  })
  await assert.rejects(getObjects(database, 'other', [first.hash]), { message: /lost object/ })
})
