import assert from 'node:assert/strict'
import test from 'node:test'
import { unwrap } from '#program/cli/failure.ts'
import { remove } from '#publishing/change-project.ts'
import { publishEvery } from '#publishing/publish.ts'
import type { Store } from '#store/store.ts'
import { temporaryStore } from '../support/temporary-store.ts'

test('publish --all publishes the projects that exist when its transaction begins', async () => {
  const { store, importing } = await temporaryStore()
  await importing('acme', { 'a/pages/a.md': '# A\n', 'b/pages/b.md': '# B\n', 'c/pages/c.md': '# C\n' })
  const { published } = unwrap(await publishEvery(justBefore(store, 'b'), {}, new Date()))
  const seen = published.map(({ project, revision, changed }) => [project, revision, changed])
  assert.deepEqual(seen, [
    ['a', 1, true],
    ['c', 1, true],
  ])
})

/** The same store, but a project is deleted just before the next transaction. */
function justBefore(store: Store, project: string): Store {
  const transaction: Store['database']['transaction'] = async work => {
    unwrap(await remove(store, { workspace: 'acme', project }, new Date()))
    return store.database.transaction(work)
  }
  return { ...store, database: { ...store.database, transaction } }
}
