import assert from 'node:assert/strict'
import test from 'node:test'
import { refersToFiles } from '#store/catalogue/references.ts'
import type { Queries } from '#store/database/database.ts'
import { DatabaseOutage } from '#store/store-error.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const { importing, store } = await temporaryStore()
const { database } = store
await importing('acme', { 'project.yaml': 'name: Guide\n', 'files/notes.txt': 'Notes\n' })

test('a store whose lists of files cannot be read now never counts as one without files', async () => {
  assert.equal(await refersToFiles(database), true)
  const outage = new DatabaseOutage({ what: 'the database is away', fix: 'wait' })
  const interrupted: Queries = { ...database, get: () => Promise.reject(outage) }
  await assert.rejects(refersToFiles(interrupted), outage)
})

test('a lost list of files does not prevent the check of the others', async () => {
  await importing('other', { 'project.yaml': 'name: Other\n', 'files/more.txt': 'More\n' })
  await database.run("DELETE FROM object WHERE workspace = 'acme'")
  assert.equal(await refersToFiles(database), true)
  await database.run("DELETE FROM object WHERE workspace = 'other'")
  assert.equal(await refersToFiles(database), false)
})
