import assert from 'node:assert/strict'
import { join } from 'node:path'
import test from 'node:test'
import { openProjects } from '#serving/pointers/open-projects.ts'
import { loadCatalogue } from '#store/database/catalogue-tables.ts'
import { openPostgres } from '#store/database/postgres.ts'
import { sharedPostgres } from '#test/support/engines.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const temporary = await temporaryStore()
const open = (name: string) => `name: ${name}\nvisibility: public\n`
await temporary.importing('zeta', { 'b/project.yaml': open('Guide 10'), 'c/project.yaml': open('guide 2') })
await temporary.importing('acme', { 'a/project.yaml': open('One'), 'closed/project.yaml': 'name: Closed\n' })
await temporary.importing('a-b', { 'draft/project.yaml': open('Draft') })
for (const place of ['zeta/b', 'zeta/c', 'acme/a', 'acme/closed']) await temporary.publish(place)

const { skip, server } = await sharedPostgres()

for (const engine of ['SQLite', 'Postgres'] as const) {
  test(`${engine}: public projects are listed by workspace, then name, as many as asked for`, {
    skip: engine === 'Postgres' && skip,
  }, async t => {
    let { database } = temporary.store
    if (server && engine === 'Postgres') {
      const saved = join(temporary.folder, 'saved.db')
      await database.saveTo(saved)
      database = (await openPostgres(await server.newDatabase())).database
      t.after(() => database.close())
      await loadCatalogue(saved, database, new AbortController().signal)
    }
    const lists = openProjects(database)
    const first = async (max: number) => {
      const { total, workspaces } = await lists.first(max)
      return [
        total,
        ...workspaces.flatMap(({ id, name, projects }) => projects.map(each => `${id} ${name} ${each.name}`)),
      ]
    }
    assert.deepEqual(await first(500), [3, 'acme acme One', 'zeta zeta guide 2', 'zeta zeta Guide 10'])
    assert.deepEqual(await first(2), [3, 'acme acme One', 'zeta zeta guide 2'])
    assert.deepEqual(await first(1), [3, 'acme acme One'])
    const all: string[] = []
    for await (const batch of lists.all()) all.push(...batch.map(({ workspace, project }) => `${workspace}/${project}`))
    assert.deepEqual(all, ['acme/a', 'zeta/b', 'zeta/c'])
  })
}
