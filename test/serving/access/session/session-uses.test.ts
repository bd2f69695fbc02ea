import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sessions as family } from '#serving/access/families.ts'
import { openSessionUses } from '#serving/access/session/session-uses.ts'
import { openSessions } from '#serving/access/session/session-verifier.ts'
import { findLiveSession } from '#store/access/sessions.ts'
import type { Database } from '#store/database/database.ts'
import { temporaryStore, verifierContext } from '../../../support/temporary-store.ts'

const REQUEST = { method: 'GET', path: '/', query: '', headers: {}, authorizations: 0, address: '127.0.0.1' }
const MINUTE_MS = 60_000
/** Two hours, and five minutes by which the store may be behind. */
const ENDS_MS = 125 * MINUTE_MS

test('a session ends without a request for two hours; each request in between extends it, until it expires', async () => {
  const { clock, open, start } = await openTest()
  const { sessions } = open()
  const person = personIn(sessions, await start(sessions))
  for (let at = 0; at < 5; at++) {
    clock.now += 115 * MINUTE_MS
    assert.ok(await person(), `after ${at + 1} times 115 minutes`)
  }
  clock.now += ENDS_MS
  assert.equal(await person(), undefined)
  clock.now += MINUTE_MS
  assert.equal(await person(), undefined)
  clock.now = start.at + 12 * 60 * MINUTE_MS
  assert.equal(await person(), undefined)
})

test('a session in use in another process, which has written that, does not end here', async () => {
  const { clock, open, start } = await openTest()
  const [one, other] = [open(), open()]
  const cookie = await start(one.sessions)
  const [person, elsewhere] = [personIn(one.sessions, cookie), personIn(other.sessions, cookie)]
  assert.ok(await person())
  clock.now += 100 * MINUTE_MS
  assert.ok(await elsewhere())
  await other.uses.write()
  clock.now += 100 * MINUTE_MS
  assert.ok(await person(), 'the memory of this process is 200 minutes old')
  clock.now += ENDS_MS
  assert.equal(await elsewhere(), undefined)
  assert.equal(await personIn(open().sessions, cookie)(), undefined, 'also in a process that has just started')
})

test('requests are written at most once in two and a half minutes, and an ended session causes no more queries', async () => {
  const { clock, open, start, counts } = await openTest()
  const { sessions, uses } = open()
  const person = personIn(sessions, await start(sessions))
  const before = counts.transactions
  for (let at = 0; at < 100; at++) {
    assert.ok(await person())
    await uses.write()
    clock.now += 3000
  }
  assert.equal(counts.transactions - before, 1)
  clock.now += ENDS_MS
  assert.equal(await person(), undefined)
  const asked = counts.gets
  for (let at = 0; at < 10; at++) assert.equal(await person(), undefined)
  assert.equal(counts.gets, asked)
})

test('while the store cannot be written, no session ends for lack of requests, and no request fails', async () => {
  const { clock, open, start, counts } = await openTest()
  const [one, other] = [open(), open()]
  const cookie = await start(one.sessions)
  const [person, elsewhere] = [personIn(one.sessions, cookie), personIn(other.sessions, cookie)]
  assert.ok(await elsewhere())
  counts.failure = Object.assign(new Error('no space left'), { code: 'ENOSPC' })
  for (let at = 0; at < 3; at++) {
    clock.now += 60 * MINUTE_MS
    assert.ok(await person())
    await one.uses.write()
  }
  clock.now += 100 * MINUTE_MS
  assert.ok(await person(), 'the process knows its own requests')
  clock.now += ENDS_MS
  assert.ok(await person(), 'another process may have had one')
  counts.failure = undefined
  await one.uses.write()
  assert.ok(await elsewhere(), 'what was due is written')
  clock.now += ENDS_MS
  assert.equal(await person(), undefined)
})

test('programs of an ended session continue, and with the new session of the person who signs in again', async () => {
  const { clock, open, start, database } = await openTest()
  const { sessions } = open()
  const cookie = await start(sessions)
  const [earlier] = await database.all('SELECT id FROM session')
  const id = String(earlier?.id)
  clock.now += ENDS_MS
  assert.equal(await personIn(sessions, cookie)(), undefined)
  assert.ok(await findLiveSession(database, id, new Date(clock.now)))
  await start(sessions, cookie)
  assert.equal(await findLiveSession(database, id, new Date(clock.now)), undefined)
})

test('signing out ends a session that had no request for too long, too', async () => {
  const { clock, open, start, database } = await openTest()
  const { sessions } = open()
  const cookie = await start(sessions)
  clock.now += ENDS_MS
  const { person } = await sessions.end({ ...REQUEST, headers: { cookie } }, 'acme')
  assert.equal(await findLiveSession(database, person?.id ?? assert.fail('no one'), new Date(clock.now)), undefined)
})

test('lists lack sessions without a request for too long, but not those of people whom a proxy names', async () => {
  const { clock, open, start, session, database } = await openTest()
  const { sessions } = open()
  await start(sessions)
  const kept = await sessions.keep({ ...session(), id: '', createdAt: new Date(clock.now) }, session().expiresAt)
  const listed = async () =>
    await family.states(database, {}, { now: new Date(clock.now), settings: { sessionIdle: 7200 } })
  assert.equal((await listed()).length, 2)
  assert.equal((await sessions.live({ workspace: 'acme' })).length, 2)
  clock.now += ENDS_MS
  const ids = (await listed()).map(({ id }) => id)
  assert.deepEqual(ids, [kept.id])
  const seen = (await sessions.live({ workspace: 'acme' })).map(({ id }) => id)
  assert.deepEqual(seen, [kept.id])
  assert.equal((await family.states(database, {}, { now: new Date(clock.now), settings: {} })).length, 2)
})

test('with the limit off, and for a session without a recorded use, the time of the sign-in counts', async () => {
  const { clock, open, start, database } = await openTest()
  const [limited, unlimited] = [open(), open({ idleSeconds: undefined })]
  const cookie = await start(limited.sessions)
  await database.transaction(queries => queries.run('UPDATE session SET used_at = NULL'))
  clock.now += ENDS_MS - 1
  const person = personIn(open().sessions, cookie)
  clock.now += 1
  assert.equal(await person(), undefined)
  assert.ok(await personIn(unlimited.sessions, cookie)())
})

async function openTest() {
  const opened: { stop: () => Promise<void> }[] = []
  // Before the hook that closes the store.
  after(() => Promise.all(opened.map(({ stop }) => stop())))
  const { store } = await temporaryStore()
  const counts: { transactions: number; gets: number; failure?: Error | undefined } = { transactions: 0, gets: 0 }
  const database: Database = {
    ...store.database,
    get: (...args) => {
      counts.gets++
      return store.database.get(...args)
    },
    all: (...args) => {
      counts.gets++
      return store.database.all(...args)
    },
    transaction: (work, options) => {
      counts.transactions++
      return counts.failure ? Promise.reject(counts.failure) : store.database.transaction(work, options)
    },
  }
  const clock = { now: Date.now() }
  const context = () => verifierContext({ ...store, database }, { clock: () => clock.now })
  const open = ({ idleSeconds }: { idleSeconds: number | undefined } = { idleSeconds: 7200 }) => {
    const log = { error: assert.ifError }
    const uses = openSessionUses({ database, clock: () => clock.now, log, idleSeconds })
    opened.push(uses)
    return { uses, sessions: openSessions(context(), uses) }
  }
  const session = () => ({
    workspace: 'acme',
    signin: 's1',
    subject: 'hash',
    name: 'Ada',
    drafts: false,
    expiresAt: new Date(clock.now + 12 * 60 * MINUTE_MS),
  })
  const start = async ({ start: begin }: Sessions, cookie?: string) =>
    (await begin({ ...REQUEST, headers: { cookie } }, session())).split(';')[0] ?? ''
  return { clock, open, start: Object.assign(start, { at: clock.now }), session, counts, database: store.database }
}

type Sessions = ReturnType<typeof openSessions>

function personIn(sessions: Sessions, cookie: string) {
  return () => sessions.person({ ...REQUEST, headers: { cookie } }, 'acme')
}
