import assert from 'node:assert/strict'
import test from 'node:test'
import type { Hash } from '#brand/ids.ts'
import { hashOf, storedObject } from '#brand/snapshot.ts'
import { findObject, getObject, getObjects, OBJECTS_AT_ONCE, putObjects } from '#store/catalogue/objects.ts'
import { bothEngines } from '#test/support/engines.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const { database } = (await temporaryStore()).store
const objects = Array.from({ length: OBJECTS_AT_ONCE }, (_, at) => storedObject(Buffer.from(`Object ${at}`)))
await database.transaction(queries => putObjects(queries, 'acme', objects))
const [first, second] = objects
assert.ok(first && second)

async function textsOf(...hashes: Hash[]): Promise<string[]> {
  return Array.from(await getObjects(database, 'acme', hashes), bytes => Buffer.from(bytes).toString())
}

test('objects are returned in the requested order, even if one is requested twice', async () => {
  assert.deepEqual(await textsOf(second.hash, first.hash, second.hash), ['Object 1', 'Object 0', 'Object 1'])
  const expected = objects.map((_, at) => `Object ${at}`)
  assert.deepEqual(await textsOf(...objects.map(({ hash }) => hash)), expected)
  assert.deepEqual(await textsOf(), [])
})

test('the error for a lost object names it, even if another workspace has it', async () => {
  const missing = hashOf(Buffer.from('missing'))
  await assert.rejects(textsOf(first.hash, missing), {
    message: new RegExp(`lost object ${missing} of workspace acme`),
  })
  await assert.rejects(getObjects(database, 'other', [first.hash]), { message: /lost object/ })
})

for (const { name, skip, migrated } of await bothEngines())
  test(`an object in ${name} whose bytes have another hash is never returned, alone or not`, { skip }, async () => {
    const database = await migrated()
    await database.transaction(queries => putObjects(queries, 'acme', objects))
    await database.run('UPDATE object SET bytes = ? WHERE hash = ?', Buffer.from('Object X'), second.hash)
    const message = `object ${second.hash} of workspace acme is damaged: its bytes do not have its hash; see \`housestyle doctor\``
    const expected = { code: 'store_damaged', message }
    await assert.rejects(getObject(database, 'acme', second.hash), expected)
    await assert.rejects(getObjects(database, 'acme', [first.hash, second.hash]), expected)
    await assert.rejects(findObject(database, 'acme', second.hash), expected)
    assert.deepEqual(Buffer.from(await getObject(database, 'acme', first.hash)), Buffer.from('Object 0'))
    await database.close()
  })
