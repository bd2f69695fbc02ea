import assert from 'node:assert/strict'
import test from 'node:test'
import { openPointers } from '../../src/serving/pointers.ts'
import { recordChange } from '../../src/store/catalogue/changes.ts'
import { temporaryStore } from '../support/temporary-store.ts'

const PROJECTS = 1000

const temporary = await temporaryStore()
await temporary.importing('acme', { 'guide/project.yaml': 'name: Guide\n' })
await temporary.publish('acme/guide')
const { database } = temporary.store

/** Changes the catalogue, as another process would, and notes it. */
async function moved(sql: string): Promise<void> {
  await database.transaction(async queries => {
    await queries.run(sql)
    await recordChange(queries, 'acme')
  })
}

test('very many projects are read in turns between which others have theirs, and all as they were at one moment', async () => {
  const pointers = await openPointers(database)
  const numbers = `WITH RECURSIVE n (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < ${PROJECTS})`
  const fields = 'created_at, updated_at, draft_snapshot, draft_name, draft_visibility, draft_revisions'
  const published = 'published_revision, published_at, published_visibility, published_revisions'
  await database.transaction(async queries => {
    const from = "FROM n, project WHERE project.id = 'guide'"
    await queries.run(
      `INSERT INTO project (workspace, id, ${fields}, ${published}) ${numbers} SELECT workspace, 'p' || at, ${fields}, ${published} ${from}`,
    )
    await queries.run(
      `INSERT INTO revision (workspace, project, number, snapshot, name, published_at) ${numbers} SELECT workspace, 'p' || at, number, snapshot, 'A', published_at FROM n, revision WHERE project = 'guide'`,
    )
    await recordChange(queries, 'acme')
  })
  let [isDone, turns] = [false, 0]
  let moving: Promise<void> | undefined
  const following = pointers.refresh().finally(() => (isDone = true))
  while (!isDone) {
    await new Promise(resolve => setImmediate(resolve))
    turns++
    if (turns === 3) moving = moved("UPDATE revision SET name = 'B' WHERE project <> 'guide'")
  }
  await Promise.all([moving, following])
  assert.ok(turns >= 10, `${turns}`)
  const names = pointers.workspace('acme')?.published.map(({ published: { name } }) => name)
  assert.equal(names?.length, PROJECTS + 1)
  assert.deepEqual(new Set(names), new Set(['B', 'Guide']))
})

test('workspaces are in the order of their ids, in whatever order a process has learned of them', async () => {
  const pointers = await openPointers(database)
  for (const workspace of ['zeta', 'aardvark']) {
    await temporary.importing(workspace, { 'guide/project.yaml': 'name: Guide\n' })
    await temporary.publish(`${workspace}/guide`)
    await pointers.refresh()
  }
  const ids = Array.from(pointers.workspaces(), ({ id }) => id)
  assert.deepEqual(ids, ['aardvark', 'acme', 'zeta'])
  assert.deepEqual(
    Array.from((await openPointers(database)).workspaces(), ({ id }) => id),
    ids,
  )
})

test('what was published and unpublished since the last look is counted by projects, and drafts are not', async () => {
  const pointers = await openPointers(database)
  const { moves: none } = await pointers.refresh()
  await temporary.importing('other', { 'one/project.yaml': 'name: One\n', 'two/project.yaml': 'name: Two\n' })
  const { moves: imported } = await pointers.refresh()
  await temporary.publish('other/one')
  await temporary.publish('other/two')
  const { moves: published } = await pointers.refresh()
  await database.transaction(async queries => {
    await queries.run("UPDATE project SET published_revision = NULL WHERE workspace = 'other' AND id = 'one'")
    await recordChange(queries, 'other')
  })
  const { moves: unpublished } = await pointers.refresh()
  assert.deepEqual(
    [none, imported, published, unpublished],
    [
      { published: 0, unpublished: 0 },
      { published: 0, unpublished: 0 },
      { published: 2, unpublished: 0 },
      { published: 0, unpublished: 1 },
    ],
  )
})
