import assert from 'node:assert/strict'
import test from 'node:test'
import { openCaches } from '../../../src/caches/caches.ts'
import { changeHandler } from '../../../src/serving/pointers/change-watcher.ts'
import { openPointers } from '../../../src/serving/pointers/pointers.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const temporary = await temporaryStore()

test('replaced content of each changed workspace is dropped, and failures are retried until they succeed', async () => {
  const pointers = await openPointers(temporary.store.database, openCaches())
  const dropped: string[] = []
  let isBroken = true
  const handle = changeHandler(pointers, {
    refreshAccess: async () => undefined,
    dropReplaced: async workspace => {
      if (isBroken && workspace === 'two') throw new Error('the store cannot be read')
      dropped.push(workspace)
    },
  })
  await handle()
  assert.deepEqual(dropped, [])
  for (const workspace of ['one', 'two', 'three']) await temporary.importing(workspace, { 'a/pages/index.md': '# A\n' })
  await assert.rejects(handle())
  isBroken = false
  await handle()
  await handle()
  assert.deepEqual(dropped.sort(), ['one', 'three', 'two'])
})
