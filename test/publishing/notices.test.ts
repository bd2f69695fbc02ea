import assert from 'node:assert/strict'
import test from 'node:test'
import { createWebhook } from '#delivery/events/webhooks/webhooks.ts'
import { unwrap } from '#program/cli/failure.ts'
import { remove, unpublish } from '#publishing/change-project.ts'
import { rollback } from '#publishing/history.ts'
import { noticeRecorder } from '#publishing/notices.ts'
import { saveMailChoice } from '#store/access/mail.ts'
import { openStore, type Store } from '#store/store.ts'
import { accessTo, publishedStore, type TemporaryStore } from '../support/temporary-store.ts'

const GUIDE = { workspace: 'acme', project: 'guide' }
const HOME = { 'guide/pages/index.md': '# Home\n' }

function untilOf(days: Readonly<Record<string, string>>) {
  const lines = Object.entries(days).map(([name, day]) => `${name}: { until: ${day} }\n`)
  const files = Object.keys(days).map(name => [`guide/files/${name}`, `${name}\n`])
  return { ...HOME, 'guide/files/files.yaml': lines.join(''), ...Object.fromEntries(files) }
}

/** The store as a service sees it on a day. */
function on(store: Store, day: string): Store {
  return { ...store, clock: { ...store.clock, date: () => new Date(`${day}T12:00:00Z`) } }
}

/** Looks for due notices like a process that has just started. */
const lookOn = (store: Store, day: string) => noticeRecorder(on(store, day))()

/** The notices that were recorded since the last call, in order. */
function noticesOf({ database }: Store) {
  let after = 0
  return async () => {
    const rows = await database.all('SELECT * FROM notice WHERE number > ? ORDER BY number', after)
    after = Number(rows.at(-1)?.number ?? after)
    return rows.map(({ path, until, days }) => `${String(path)} ${until} ${days}`)
  }
}

async function setup(days: Readonly<Record<string, string>>) {
  const temporary = await publishedStore('acme/guide', untilOf(days))
  return { temporary, store: temporary.store, fresh: noticesOf(temporary.store) }
}

async function republish(temporary: TemporaryStore, days: Readonly<Record<string, string>>) {
  await temporary.publishing('acme/guide', untilOf(days))
}

test('a notice happens 30 and 7 days before the last day of a file, and on the day after it, once each', async () => {
  const { store, fresh } = await setup({ 'a.txt': '2027-03-31', 'b.txt': '2099-01-01' })
  const expected: Readonly<Record<string, readonly string[]>> = {
    '2027-02-28': [],
    '2027-03-01': ['files/a.txt 2027-03-31 30'],
    '2027-03-02': [],
    '2027-03-23': [],
    '2027-03-24': ['files/a.txt 2027-03-31 7'],
    '2027-03-31': [],
    '2027-04-01': ['files/a.txt 2027-03-31 0'],
    '2027-04-02': [],
    '2028-01-01': [],
  }
  let day = ''
  const look = noticeRecorder({ ...store, clock: { ...store.clock, date: () => new Date(`${day}T00:00:00Z`) } })
  for (const [today, notices] of Object.entries(expected)) {
    day = today
    await look()
    await look()
    assert.deepEqual(await fresh(), notices, today)
  }
})

test('after a stop, only the latest notice happens: the end of a file that has ended, and one of two missed ones', async () => {
  const { store, fresh } = await setup({ 'a.txt': '2027-03-31', 'b.txt': '2027-04-03', 'c.txt': '2027-04-20' })
  await lookOn(store, '2027-04-01')
  assert.deepEqual(await fresh(), ['files/a.txt 2027-03-31 0', 'files/b.txt 2027-04-03 7', 'files/c.txt 2027-04-20 30'])
  // A clock that goes back brings no earlier notice.
  await lookOn(store, '2027-03-02')
  assert.deepEqual(await fresh(), [])
})

test('several processes record each notice once, with its own change and one message for each webhook', async () => {
  const names = Array.from({ length: 130 }, (_, at) => `f${at}.txt`)
  const { temporary, store, fresh } = await setup(Object.fromEntries(names.map(name => [name, '2027-03-31'])))
  const hook = { workspace: 'acme', project: undefined, url: 'https://hooks.example.com/' }
  unwrap(await createWebhook(accessTo(store), hook, new Date()))
  const other = await openStore(temporary.data)
  await Promise.all([store, other, store, other].map(each => lookOn(each, '2027-03-25')))
  assert.equal(new Set(await fresh()).size, names.length)
  const rows = await store.database.all('SELECT n.number FROM notice n JOIN change c ON c.number = n.number')
  assert.equal(rows.length, names.length)
  const messages = await store.database.all('SELECT type, payload FROM delivery ORDER BY number')
  assert.equal(messages.length, names.length)
  assert.equal(messages[0]?.type, 'file.expiring')
  assert.deepEqual(JSON.parse(String(messages[0]?.payload)), {
    type: 'file.expiring',
    timestamp: '2027-03-25T12:00:00.000Z',
    data: { ...GUIDE, path: 'files/f0.txt', until: '2027-03-31' },
  })
  await other.close()
})

test('a running process notices a publication, a renewed last day is new, and a rollback to the earlier one is not', async () => {
  const { temporary, store, fresh } = await setup({ 'a.txt': '2027-03-31' })
  const look = noticeRecorder(on(store, '2027-03-25'))
  await look()
  assert.deepEqual(await fresh(), ['files/a.txt 2027-03-31 7'])
  await republish(temporary, { 'a.txt': '2027-04-10' })
  await look()
  assert.deepEqual(await fresh(), ['files/a.txt 2027-04-10 30'])
  unwrap(await rollback(store, GUIDE, undefined, new Date()))
  await look()
  assert.deepEqual(await fresh(), [])
})

test('drafts, unpublished projects and removed files have no notice', async () => {
  const { temporary, store, fresh } = await setup({ 'a.txt': '2027-03-31' })
  const look = noticeRecorder(on(store, '2027-03-25'))
  unwrap(await unpublish(store, GUIDE, new Date()))
  await temporary.importing('acme', untilOf({ 'b.txt': '2027-03-31' }))
  await look()
  assert.deepEqual(await fresh(), [])
  await temporary.publish('acme/guide')
  await temporary.importing('acme', { ...HOME, 'guide/files/files.yaml': 'b.txt: { description: "" }\n' })
  await temporary.publish('acme/guide')
  await look()
  assert.deepEqual(await fresh(), [])
})

test('the notices of a deleted project go with it, and a later project of its name has its own', async () => {
  const { temporary, store, fresh } = await setup({ 'a.txt': '2027-03-31' })
  await lookOn(store, '2027-03-25')
  assert.equal((await fresh()).length, 1)
  unwrap(await remove(store, GUIDE, new Date()))
  assert.deepEqual(await store.database.all('SELECT * FROM notice'), [])
  await republish(temporary, { 'a.txt': '2027-03-31' })
  await lookOn(store, '2027-03-25')
  assert.deepEqual(await fresh(), ['files/a.txt 2027-03-31 7'])
})

test('a project whose content is damaged does not delay the notices of others, and is tried again', async () => {
  const { temporary, store, fresh } = await setup({ 'a.txt': '2027-03-31' })
  const spring = { 'spring/files/s.txt': 'S\n', 'spring/files/files.yaml': 's.txt: { until: 2027-03-31 }\n' }
  await temporary.publishing('acme/spring', { 'spring/pages/index.md': '# Spring\n', ...spring })
  const { all } = store.database
  let isFailing = true
  const database: Store['database'] = {
    ...store.database,
    all: async (sql, ...values) => {
      if (isFailing && sql.includes('FROM object')) {
        isFailing = false
        throw new Error('damaged')
      }
      return all(sql, ...values)
    },
  }
  const look = noticeRecorder({ ...on(store, '2027-03-25'), database })
  await assert.rejects(look(), { message: 'some notices failed: damaged' })
  assert.equal((await fresh()).length, 1)
  await look()
  assert.equal((await fresh()).length, 1)
})

test('people who chose it have one mail for all files of a guide, 30 and 7 days before, over all processes and restarts', async () => {
  const names = Array.from({ length: 130 }, (_, at) => `f${at}.txt`)
  const days = Object.fromEntries(names.map(name => [name, '2027-03-31']))
  const { temporary, store } = await setup({ ...days, 'late.txt': '2027-04-30' })
  const { database } = store
  const choice = {
    workspace: 'acme',
    signin: 'x',
    email: 'a@example.com',
    lang: 'en',
    rights: { drafts: true },
    seenAt: new Date(),
    chosenAt: new Date(),
  }
  await database.transaction(async queries => {
    await saveMailChoice(queries, { ...choice, subject: 'ada', kinds: ['rights'] })
    await saveMailChoice(queries, { ...choice, subject: 'ben', kinds: ['draft', 'failed'] })
  })
  const other = await openStore(temporary.data)
  const seen: Record<string, string[]> = {}
  for (const day of [
    '2027-02-28',
    '2027-03-01',
    '2027-03-02',
    '2027-03-24',
    '2027-03-31',
    '2027-04-01',
    '2027-04-23',
  ]) {
    await Promise.all([store, other, store, other].map(each => lookOn(each, day)))
    const rows = await database.all('SELECT subject, kind FROM mail WHERE next_at IS NOT NULL')
    seen[day] = rows.map(({ subject, kind }) => `${subject} ${kind}`)
    await database.transaction(queries => queries.run('UPDATE mail SET next_at = NULL'))
  }
  assert.deepEqual(seen, {
    '2027-02-28': [],
    '2027-03-01': ['ada rights'],
    '2027-03-02': [],
    '2027-03-24': ['ada rights'],
    '2027-03-31': ['ada rights'],
    '2027-04-01': [],
    '2027-04-23': ['ada rights'],
  })
  await other.close()
})
