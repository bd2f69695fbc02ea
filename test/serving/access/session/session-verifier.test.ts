import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSessions } from '#serving/access/session/session-verifier.ts'
import type { Database } from '#store/database/database.ts'
import { temporaryStore, verifierContext } from '../../../support/temporary-store.ts'

const REQUEST = { method: 'GET', path: '/', query: '', headers: {}, authorizations: 0, address: '127.0.0.1' }
const HOUR_MS = 3600 * 1000

test('a session cookie proves a person for its workspace until the session expires', async () => {
  const { start, sessions, clock, personWith } = await openTest()
  const cookie = await start('acme')
  assert.equal((await personWith(cookie))?.name, 'Ada')
  assert.equal(await sessions.person({ ...REQUEST, headers: { cookie } }, 'other'), undefined)
  assert.equal(await personWith(cookie.replace('session_acme', 'session_other'), 'other'), undefined)
  clock.now += HOUR_MS - 1
  assert.ok(await personWith(cookie))
  clock.now += 1
  assert.equal(await personWith(cookie), undefined)
})

test('the session cookie is Secure, HttpOnly and only for the host; on plain http it has neither prefix nor Secure', async () => {
  const { sessions, session } = await openTest()
  const secure = await sessions.start({ ...REQUEST, isHttps: true }, session('acme'))
  assert.match(
    secure,
    /^__Host-housestyle_session_acme=[\w.-]+; Max-Age=3600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  )
  const text = await sessions.start(REQUEST, session('acme'))
  assert.match(text, /^housestyle_session_acme=[\w.-]+; Max-Age=3600; Path=\/; HttpOnly; SameSite=Lax$/)
  const headers = { cookie: secure.split(';')[0] }
  assert.equal(await sessions.person({ ...REQUEST, headers }, 'acme'), undefined)
  assert.ok(await sessions.person({ ...REQUEST, isHttps: true, headers }, 'acme'))
})

test('the store keeps only a hash of the secret in a session cookie', async () => {
  const { start, database } = await openTest()
  const [, id, secret = ''] = /=(\w+)\.([\w-]+)\./.exec(await start('acme')) ?? []
  const rows = await database.all('SELECT * FROM session')
  const ids = rows.map(row => row.id)
  assert.deepEqual(ids, [id])
  assert.equal(secret.length, 43)
  assert.equal(JSON.stringify(rows).includes(secret), false)
})

test('sessions are read once; forged cookies cause no database query, and a stolen id without its secret is useless', async () => {
  const { start, personWith, asked } = await openTest()
  const cookie = await start('acme')
  const other = await start('acme')
  assert.ok(await personWith(cookie))
  const before = asked()
  assert.ok(!(personWith(cookie) instanceof Promise))
  const [name, value = ''] = cookie.split('=')
  const [id, secret, mac] = value.split('.')
  const [otherId] = (other.split('=')[1] ?? '').split('.')
  const forged = [`${id}.${secret}.`, `${otherId}.${secret}.${mac}`, `${id}.${'A'.repeat(43)}.${mac}`, `${id}`, '']
  for (const wrong of forged) assert.equal(await personWith(`${name}=${wrong}`), undefined, wrong)
  assert.ok(await personWith(`${name}=forged; ${cookie}`))
  assert.equal(await personWith([...new Array(4).fill(`${name}=forged`), cookie].join('; ')), undefined)
  assert.equal(asked(), before)
})

test('an ended session is refused at once, and in other processes once they notice the change', async () => {
  const { start, sessions, personWith, other } = await openTest()
  const cookie = await start('acme')
  const request = { ...REQUEST, headers: { cookie } }
  assert.ok(await other.person(request, 'acme'))
  const { person, setCookie } = await sessions.end(request, 'acme')
  assert.equal(person?.subject, 'hash')
  assert.equal(setCookie, 'housestyle_session_acme=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax')
  assert.equal(await personWith(cookie), undefined)
  other.forget()
  assert.equal(await other.person(request, 'acme'), undefined)
  assert.equal((await sessions.end(request, 'acme')).person, undefined)
})

test('a person whom a proxy names can be kept as a session, which no cookie opens; other sessions do not change', async () => {
  const { sessions, session, database, clock, start, personWith } = await openTest()
  const expiresAt = new Date(clock.now + HOUR_MS)
  const named = { ...session('acme'), id: '', createdAt: new Date(clock.now) }
  const kept = await sessions.keep(named, expiresAt)
  assert.deepEqual({ ...kept, id: '' }, { ...named, expiresAt })
  const ids = (await database.all('SELECT id FROM session')).map(({ id }) => id)
  assert.deepEqual(ids, [kept.id])
  const person = await personWith(await start('acme'))
  assert.ok(person)
  assert.equal(await sessions.keep(person, new Date(0)), person)
})

async function openTest() {
  const { store } = await temporaryStore()
  const { database, asked } = counting(store.database)
  const clock = { now: Date.now() }
  const open = () => openSessions(verifierContext({ ...store, database }, { clock: () => clock.now }))
  const sessions = open()
  const session = (workspace: string) => ({
    workspace,
    signin: 's1',
    subject: 'hash',
    name: 'Ada',
    drafts: false,
    expiresAt: new Date(clock.now + HOUR_MS),
  })
  const start = async (workspace: string) => (await sessions.start(REQUEST, session(workspace))).split(';')[0] ?? ''
  const personWith = (cookie: string, workspace = 'acme') =>
    sessions.person({ ...REQUEST, headers: { cookie } }, workspace)
  const other = open()
  return { sessions, other, session, start, personWith, clock, asked, database: store.database }
}

/** Wraps a database and counts its queries outside of transactions. */
function counting(database: Database): { database: Database; asked: () => number } {
  let count = 0
  const get: Database['get'] = (...args) => {
    count++
    return database.get(...args)
  }
  return { database: { ...database, get }, asked: () => count }
}
