import assert from 'node:assert/strict'
import test from 'node:test'
import { openCaches } from '#platform/caches/caches.ts'
import { unpublish } from '#publishing/change-project.ts'
import { openPointers, type Pointers } from '#serving/pointers/pointers.ts'
import { recordChange } from '#store/catalogue/changes.ts'
import type { Database, Queries } from '#store/database/database.ts'
import { publishedStore } from '../../support/temporary-store.ts'

const PROJECTS = 3000

const temporary = await publishedStore('acme/guide', {
  'guide/project.yaml': 'name: Guide\n',
  'other/project.yaml': 'name: Other\n',
})
const { database } = temporary.store

/** Changes the catalogue as another process would, and records the change. */
async function changeCatalogue(sql: string): Promise<void> {
  await database.transaction(async queries => {
    await queries.run(sql)
    await recordChange(queries, 'acme')
  })
}

/** Pointers whose queries are counted. */
async function countedPointers(maxBytes?: number) {
  const asked = { queries: 0 }
  const counted: Database = {
    ...database,
    get: (...query) => {
      asked.queries++
      return database.get(...query)
    },
    all: (...query) => {
      asked.queries++
      return database.all(...query)
    },
  }
  const caches = openCaches(maxBytes)
  const pointers = await openPointers(counted, caches)
  const queriesOf = async (work: () => unknown) => {
    const before = asked.queries
    await work()
    return asked.queries - before
  }
  const bytes = () => caches.usage().find(({ cache }) => cache === 'pointers')?.bytes ?? 0
  return { pointers, queriesOf, bytes }
}

async function projectsOf(pointers: Pointers, workspace: string): Promise<string[]> {
  return ((await pointers.workspace(workspace))?.sound ?? []).map(({ project }) => project)
}

test('a workspace is read once, with one query, even if it has no published project', async () => {
  const { pointers, queriesOf } = await countedPointers()
  await temporary.importing('silent', { 'guide/project.yaml': 'name: Guide\n' })
  await pointers.refresh()
  for (const workspace of ['acme', 'silent']) {
    assert.equal(await queriesOf(() => pointers.workspace(workspace)), 1)
    assert.equal(await queriesOf(() => pointers.workspace(workspace)), 0)
    assert.ok(!(pointers.workspace(workspace) instanceof Promise))
  }
  assert.deepEqual(await projectsOf(pointers, 'acme'), ['guide'])
  assert.deepEqual(await projectsOf(pointers, 'silent'), [])
})

test('a request without proof of access reads neither private nor unknown workspaces, only those with a public project', async () => {
  const { pointers, queriesOf, bytes } = await countedPointers()
  const before = bytes()
  const asking = async () => {
    for (let at = 0; at < 10_000; at++) assert.equal(await pointers.openWorkspace(`no-${at}`), undefined)
    for (const workspace of ['acme', 'silent']) assert.equal(await pointers.openWorkspace(workspace), undefined)
  }
  assert.equal(await queriesOf(asking), 0)
  assert.equal(bytes(), before)
  assert.deepEqual(await projectsOf(pointers, 'acme'), ['guide'])
  assert.equal(await pointers.openWorkspace('acme'), undefined)
  await temporary.importing('no-5', { 'guide/project.yaml': 'name: Guide\n' })
  await temporary.importing('no-6', { 'guide/project.yaml': 'name: Guide\nvisibility: public\n' })
  await temporary.publish('no-5/guide')
  await temporary.publish('no-6/guide')
  await temporary.publish('acme/other')
  await pointers.refresh()
  assert.equal(await pointers.openWorkspace('no-5'), undefined)
  for (const opened of [pointers, (await countedPointers()).pointers])
    assert.deepEqual(
      (await opened.openWorkspace('no-6'))?.sound.map(({ project }) => project),
      ['guide'],
    )
  assert.deepEqual(await projectsOf(pointers, 'no-5'), ['guide'])
  assert.deepEqual(await projectsOf(pointers, 'acme'), ['guide', 'other'])
})

test('the most recently used workspaces stay in memory, and changes in others are not read', async () => {
  const many = await publishedStore('acme/guide', { 'guide/project.yaml': 'name: Guide\n' })
  await multiplyWorkspace(many.store.database, 'acme', 500)
  const caches = openCaches(50_000)
  const pointers = await openPointers(many.store.database, caches)
  for (let at = 1; at <= 500; at++) assert.deepEqual(await projectsOf(pointers, `w${at}`), ['guide'])
  const usage = caches.usage().find(({ cache }) => cache === 'pointers')
  assert.ok(usage && usage.bytes <= 50_000 && usage.entries > 10, JSON.stringify(usage))
  assert.ok(pointers.inMemory('w500'))
  await many.importing('w1', { 'guide/project.yaml': 'name: Guide\nvisibility: public\n' })
  await many.importing('w500', { 'guide/project.yaml': 'name: Guide\nvisibility: public\n' })
  await many.publish('w1/guide')
  await many.publish('w500/guide')
  await pointers.refresh()
  assert.equal(pointers.inMemory('w1'), undefined)
  for (const workspace of ['w1', 'w500'])
    assert.equal((await pointers.workspace(workspace))?.projects.get('guide')?.published.revision, 2)
})

test('very many projects are read consistently while they change', async () => {
  const { pointers } = await countedPointers()
  await pointers.workspace('acme')
  const numbers = `WITH RECURSIVE n (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < ${PROJECTS})`
  const fields =
    'instance, created_at, updated_at, draft_snapshot, draft_name, draft_visibility, draft_revisions, draft_facts, draft_authors, file_key'
  const published = 'published_revision, published_at, published_visibility, published_revisions'
  await database.transaction(async queries => {
    const from = "FROM n, project WHERE project.id = 'guide' AND project.workspace = 'acme'"
    await queries.run(
      `INSERT INTO project (workspace, id, ${fields}, ${published}) ${numbers} SELECT workspace, 'p' || at, ${fields}, ${published} ${from}`,
    )
    await queries.run(
      `INSERT INTO revision (workspace, project, number, snapshot, name, visibility, facts, reviewed, published_at) ${numbers} SELECT workspace, 'p' || at, number, snapshot, 'A', visibility, facts, reviewed, published_at FROM n, revision WHERE project = 'guide' AND workspace = 'acme'`,
    )
    await recordChange(queries, 'acme')
  })
  await Promise.all([pointers.refresh(), changeCatalogue("UPDATE revision SET name = 'B' WHERE project LIKE 'p%'")])
  await pointers.refresh()
  const names = (await pointers.workspace('acme'))?.published.map(({ published: { name } }) => name)
  assert.equal(names?.length, PROJECTS + 2)
  assert.deepEqual(new Set(names), new Set(['B', 'Guide', 'Other']))

  await temporary.publishing('acme/guide', { 'guide/project.yaml': 'name: A guide\n' })
  await pointers.refresh()
  const state = await pointers.workspace('acme')
  assert.equal(state?.published[0]?.published.name, 'A guide')
  assert.equal(state?.published.length, PROJECTS + 2)
  assert.deepEqual(state?.sound, (await (await countedPointers()).pointers.workspace('acme'))?.sound)
})

test('a workspace that changes while it is read is read again', async () => {
  const held = Promise.withResolvers<void>()
  let isHeld = true
  const slow: Database = {
    ...database,
    all: async (sql, ...values) => {
      const rows = await database.all(sql, ...values)
      if (isHeld && sql.includes('workspace_name')) await held.promise
      return rows
    },
  }
  const pointers = await openPointers(slow, openCaches())
  const first = pointers.workspace('no-5')
  isHeld = false
  await unpublish(temporary.store, { workspace: 'no-5', project: 'guide' }, new Date())
  await pointers.refresh()
  assert.deepEqual(await projectsOf(pointers, 'no-5'), [])
  held.resolve()
  assert.ok(await first)
  assert.deepEqual(await projectsOf(pointers, 'no-5'), [])
})

test('published and unpublished projects since the last refresh are counted, and drafts are not', async () => {
  const { pointers } = await countedPointers()
  const { moves: none } = await pointers.refresh()
  await temporary.importing('other', { 'one/project.yaml': 'name: One\n', 'two/project.yaml': 'name: Two\n' })
  const { moves: imported } = await pointers.refresh()
  await temporary.publish('other/one')
  await temporary.publish('other/two')
  const { moves: published } = await pointers.refresh()
  await unpublish(temporary.store, { workspace: 'other', project: 'one' }, new Date())
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

/**
 * Adds very many workspaces to a store, `w1`, `w2` …, each a copy of an existing one: its projects, their current
 * revisions with all their objects, and a change for each project, in the tables that imports and publications fill.
 */
async function multiplyWorkspace(database: Database, workspace: string, copies: number): Promise<void> {
  await database.transaction(async queries => {
    const last = await queries.get('SELECT COALESCE(MAX(number), 0) AS number FROM change')
    for (const [table, columns] of TABLES) await copyRows(queries, { table, columns, workspace, copies })
    await queries.run(
      `INSERT INTO change (number, workspace) ${NUMBERS}
       SELECT ? + ROW_NUMBER() OVER (ORDER BY n.at, p.id), 'w' || n.at FROM n, project p WHERE p.workspace = ?`,
      copies,
      Number(last?.number ?? 0),
      workspace,
    )
  })
}

const TABLES = [
  ['workspace', 'name, draft_name, created_at'],
  ['object', 'hash, bytes'],
  [
    'project',
    `id, instance, created_at, updated_at, draft_snapshot, draft_name, draft_visibility, draft_revisions, draft_facts, draft_authors,
     published_revision, published_at, published_visibility, published_revisions, file_key`,
  ],
  ['revision', 'project, number, snapshot, name, published_at, visibility, facts, reviewed, note'],
] as const

const NUMBERS = 'WITH RECURSIVE n (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < ?)'

type Copied = { table: (typeof TABLES)[number][0]; columns: string; workspace: string; copies: number }

async function copyRows(queries: Queries, { table, columns, workspace, copies }: Copied): Promise<void> {
  const id = table === 'workspace' ? 'id' : 'workspace'
  await queries.run(
    `INSERT INTO ${table} (${id}, ${columns}) ${NUMBERS} SELECT 'w' || n.at, ${columns} FROM n, ${table} WHERE ${id} = ?`,
    copies,
    workspace,
  )
}
