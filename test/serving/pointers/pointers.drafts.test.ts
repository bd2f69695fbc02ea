import assert from 'node:assert/strict'
import test from 'node:test'
import { openCaches } from '#platform/caches/caches.ts'
import { openPointers } from '#serving/pointers/pointers.ts'
import type { Database } from '#store/database/database.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const temporary = await temporaryStore()
const GUIDE = { workspace: 'acme', project: 'guide' }

function countedGets(database: Database): { database: Database; count: () => number } {
  let count = 0
  const get: Database['get'] = (...query) => {
    count++
    return database.get(...query)
  }
  return { database: { ...database, get }, count: () => count }
}

test('a draft is read once until its project changes, regardless of other changes in its workspace', async () => {
  await temporary.importing('acme', { 'guide/project.yaml': 'name: First\n', 'other/project.yaml': '' })
  const { database, count } = countedGets(temporary.store.database)
  const { drafts, refresh } = await openPointers(database, openCaches())
  const first = await drafts.find(GUIDE)
  assert.deepEqual([first?.published.name, first?.published.visibility], ['First', 'private'])
  assert.equal(first?.draftOf.published, undefined)
  await temporary.importing('acme', { 'other/project.yaml': 'name: Changed\n' })
  await refresh()
  const before = count()
  assert.equal(await drafts.find(GUIDE), first)
  assert.equal(count(), before)
  assert.deepEqual([drafts.inMemory('acme'), drafts.inMemory('other')], [[first], []])
  await temporary.importing('acme', { 'guide/project.yaml': 'name: Second\n' })
  await refresh()
  assert.deepEqual(drafts.inMemory('acme'), [])
  assert.equal((await drafts.find(GUIDE))?.published.name, 'Second')
  await temporary.publish('acme/guide')
  await refresh()
  const { published, draftOf } = (await drafts.find(GUIDE)) ?? {}
  assert.deepEqual([published?.revision, draftOf?.published?.revision, draftOf?.published?.name], [1, 1, 'Second'])
})

test('an unknown project has no draft', async () => {
  const { drafts } = await openPointers(temporary.store.database, openCaches())
  assert.equal(await drafts.find({ workspace: 'acme', project: 'unknown' }), undefined)
  assert.deepEqual(drafts.inMemory('acme'), [])
})
