import assert from 'node:assert/strict'
import { join } from 'node:path'
import test, { after } from 'node:test'
import { hashOf } from '../../src/brand/snapshot.ts'
import { openSharedStore } from '../../src/store/shared-store.ts'
import { openStore, type Store } from '../../src/store/store.ts'
import { backUp } from '../../src/upkeep/backup.ts'
import { restore } from '../../src/upkeep/restore.ts'
import { restoreShared } from '../../src/upkeep/restore-shared.ts'
import { startPostgres } from '../support/postgres.ts'
import { needs } from '../support/programs.ts'
import { testService } from '../support/service.ts'
import { SMALL_BRAND } from '../support/small-brand.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { temporaryStore } from '../support/temporary-store.ts'

const { skip } = needs('postgres')
const server = skip ? undefined : await startPostgres()
after(() => server?.stop())

const options = { signal: new AbortController().signal, progress: () => undefined, now: () => new Date() }
const now = Date.UTC(2026, 10, 21)

test('a store moves from one machine to Postgres and back by backup and restore, and answers the same', {
  skip,
}, async () => {
  const temporary = await temporaryStore()
  await temporary.importing('acme', SMALL_BRAND)
  for (const project of ['guidelines', 'empty']) await temporary.publish(`acme/${project}`)
  const { token } = await temporary.issue('acme', { now: new Date(now) })
  const folder = await temporaryFolder()
  const before = await answers(temporary.store, token)
  assert.ok(Object.values(before).filter(said => said.startsWith('200')).length > 20)

  const first = join(folder, 'first.tar')
  await backUp(temporary.store, first, options)
  const place = { data: join(folder, 'shared'), database: (await server?.newDatabase()) ?? '' }
  const { projects, files } = await restoreShared(first, place, options)
  assert.deepEqual([projects, files], [3, 4])
  const shared = await openSharedStore(place)
  assert.deepEqual(await answers(shared, token), before)
  await assert.rejects(restoreShared(first, place, options), { code: 'folder_occupied' })

  const second = join(folder, 'second.tar')
  await backUp(shared, second, options)
  await shared.close()
  const data = join(folder, 'back')
  await restore(second, data, options)
  const back = await openStore(data)
  assert.deepEqual(await answers(back, token), before)
  await back.close()
})

/** What a service of the store replies at each address that it names itself. */
async function answers(store: Store, token: string): Promise<Record<string, string>> {
  const { ask } = await testService({ store }, {}, now)
  const found: Record<string, string> = {}
  const project = '/beta/workspace/acme/project/guidelines'
  const waiting = ['/', '/acme/guidelines', '/acme/guidelines/-/files', '/acme/guidelines/-/changes', '/sitemap.xml']
  waiting.push(
    '/beta/workspace/acme/projects',
    project,
    ...['styles', 'pages', 'files'].map(name => `${project}/${name}`),
  )
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (found[path] || path.includes('/-/files.zip')) continue
    const { status, text, bytes } = await ask(path, path.startsWith('/beta') ? { token } : {})
    found[path] = `${status} ${hashOf(bytes)}`
    for (const [, link = ''] of text.matchAll(/(?:href|src)="(\/acme\/[^"#?]+)["#?]/g)) waiting.push(link)
  }
  return found
}
