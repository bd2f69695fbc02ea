import assert from 'node:assert/strict'
import test from 'node:test'
import type { Database } from '#store/database/database.ts'
import { type Asking, testService } from '../support/service.ts'
import { temporaryStore } from '../support/temporary-store.ts'

const temporary = await temporaryStore()
await temporary.importing('acme', {
  'open/project.yaml': 'visibility: public\n',
  'closed/project.yaml': 'name: Closed\nlang: de-at\n',
  'closed/pages/index.md': '# Welcome\n',
  'draft/project.yaml': 'name: Draft\nvisibility: public\n',
})
await temporary.importing('other', { 'closed/project.yaml': 'name: Closed\n' })
for (const place of ['acme/open', 'acme/closed', 'other/closed']) await temporary.publish(place)
const { token } = await temporary.issue('acme')
const { ask } = await testService(temporary)

const BROWSER = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } }

test('the first request for a private workspace asks the store no more than one for an invented name', async () => {
  const { database } = temporary.store
  let queries = 0
  const counted: Database = {
    ...database,
    get: (...query) => {
      queries++
      return database.get(...query)
    },
    all: (...query) => {
      queries++
      return database.all(...query)
    },
  }
  const secret = 'A'.repeat(32)
  const cookie = (workspace: string) => `housestyle_${workspace}_closed=${'f'.repeat(16)}.1${'0'.repeat(12)}.${secret}`
  const draftCookie = (workspace: string) => cookie(workspace).replace('housestyle_', 'housestyle_draft_')
  const session = (workspace: string) => `housestyle_session_${workspace}=${'f'.repeat(32)}.${secret}.${secret}`
  const requests: readonly ((workspace: string) => [path: string, asking: Asking])[] = [
    workspace => [`/${workspace}`, {}],
    workspace => [`/${workspace}/closed`, {}],
    workspace => [`/${workspace}/closed.md`, BROWSER],
    workspace => [`/${workspace}/closed/-/exports/skill.zip`, { method: 'HEAD' }],
    workspace => [`/${workspace}/closed`, { token: 'x.y.z' }],
    workspace => [`/${workspace}/closed`, { token }],
    workspace => [`/${workspace}/closed`, { headers: { cookie: cookie(workspace) } }],
    workspace => [`/${workspace}/closed`, { headers: { cookie: session(workspace) } }],
    workspace => [`/${workspace}/closed`, { headers: { ...BROWSER.headers, cookie: session(workspace) } }],
    workspace => [`/${workspace}/closed/-/share/${secret}`, {}],
    workspace => [`/${workspace}/closed/-/files/${secret}/a.txt`, {}],
    workspace => [`/${workspace}/closed/-/draft`, { token }],
    workspace => [`/${workspace}/closed/-/draft/-/share/${secret}`, {}],
    workspace => [
      `/${workspace}/closed/-/draft/-/files/${secret}/a.txt`,
      { headers: { cookie: draftCookie(workspace) } },
    ],
  ]
  for (const request of requests) {
    const fresh = await testService({ store: { ...temporary.store, database: counted } })
    await fresh.ask(...request('warm'))
    const queriesFor = async (workspace: string) => {
      const before = queries
      assert.equal((await fresh.ask(...request(workspace))).status, 404)
      return queries - before
    }
    const [path] = request('…')
    // An unknown link may be newer than the links in memory.
    const count = path.includes('/share/') ? 1 : 0
    assert.deepEqual([await queriesFor('invented'), await queriesFor('other')], [count, count], path)
  }
})

test('a private project gives its pages to a bearer token that covers it and has document.read, and to no cache', async () => {
  const { status, headers, text } = await ask('/acme/closed', { token })
  assert.equal(status, 200)
  assert.match(text, /Welcome/)
  assert.match(text, /<meta name="robots" content="noindex">/)
  assert.match(text, /<html lang="de-AT">/)
  assert.equal(headers.get('cache-control'), 'private, no-cache')
  assert.equal(headers.get('vary'), 'Authorization, Cookie, Accept-Encoding')
  assert.equal(headers.get('x-robots-tag'), 'noindex')
})
