import assert from 'node:assert/strict'
import test from 'node:test'
import { openUsage, openUsageWriter } from '#serving/usage.ts'
import { listUsage, sumUsage } from '#store/catalogue/usage.ts'
import type { Database } from '#store/database/database.ts'
import { DatabaseOutage } from '#store/store-error.ts'
import { bothEngines } from '#test/support/engines.ts'

const DAY_MS = 86_400_000
const NOON = Date.UTC(2026, 10, 23, 12)
const GUIDE = { workspace: 'acme', project: 'guide' }
const OTHER = { workspace: 'acme', project: 'other' }
const UNEXPECTED = { error: (fields: object) => assert.fail(JSON.stringify(fields)) }

test('counts are kept by day in UTC, project, kind and item until they are taken', () => {
  let now = NOON
  const usage = openUsage(() => now)
  usage.count(GUIDE, 'page', 'index')
  usage.count(GUIDE, 'page', 'index')
  usage.count(GUIDE, 'file', 'index')
  usage.count(OTHER, 'page', 'index')
  now += DAY_MS / 2
  usage.count(GUIDE, 'page', 'index')
  const row = { ...GUIDE, day: '2026-11-23', kind: 'page', item: 'index', count: 1 }
  assert.deepEqual(usage.take(), [
    { ...row, count: 2 },
    { ...row, kind: 'file' },
    { ...row, ...OTHER },
    { ...row, day: '2026-11-24' },
  ])
  assert.deepEqual(usage.take(), [])
})

test('the number of items in memory is limited, and items that are already counted still count', () => {
  const usage = openUsage(() => NOON, 3)
  for (const item of ['a', 'b', 'c', 'd', 'a']) usage.count(GUIDE, 'page', item)
  const counts = usage.take()
  const seen = counts.map(({ item, count }) => `${item} ${count}`)
  assert.deepEqual(seen, ['a 2', 'b 1', 'c 1'])
  usage.putBack(counts)
  usage.count(GUIDE, 'page', 'd')
  assert.deepEqual(usage.take(), counts)
})

test('a search without a result is kept in lower case, trimmed, with at most 60 characters', () => {
  const usage = openUsage(() => NOON)
  usage.countMissed(GUIDE, ' Zebra ')
  usage.countMissed(GUIDE, 'zebra')
  usage.countMissed(GUIDE, `${'É😀'.repeat(29)}x  yz`)
  const seen = usage.take().map(({ item, count }) => [item, count])
  assert.deepEqual(seen, [
    ['zebra', 2],
    [`${'é😀'.repeat(29)}x`, 1],
  ])
})

test('a network adds at most 30 different searches to a project in an hour, and repeats of any count', () => {
  let now = NOON
  const usage = openUsage(() => now)
  const search = (text: string, network: string) => usage.countMissed(GUIDE, text, false, network)
  for (let at = 0; at < 100; at++) search(`junk ${at}`, 'a')
  search('junk 3', 'a')
  search('zebra', 'b')
  search('junk 99', 'b')
  const counts = usage.take()
  assert.equal(counts.length, 32)
  assert.deepEqual(
    counts.flatMap(({ item, count }) => (['junk 3', 'zebra', 'junk 99'].includes(item) ? [`${item} ${count}`] : [])),
    ['junk 3 2', 'zebra 1', 'junk 99 1'],
  )
  search('lion', 'a')
  assert.deepEqual(usage.take(), [])
  now += 3_600_000
  for (const text of ['l', 'li', 'lion', 'lions']) usage.countMissed(GUIDE, text, true, 'a')
  for (let at = 0; at < 100; at++) search(`more ${at}`, 'a')
  assert.equal(usage.take().length, 30)
})

test('probes and addresses are not kept as words that people searched for', () => {
  const usage = openUsage(() => NOON)
  for (const text of ["' or 1=1 --", 'https://evil.example', '<b>', 'zebra']) usage.countMissed(GUIDE, text)
  const items = usage.take().map(({ item }) => item)
  assert.deepEqual(items, ['zebra'])
})

test('a search that continues the last one made while typing replaces it', () => {
  const usage = openUsage(() => NOON)
  for (const text of ['ze', 'zeb', 'zebra', 'x', 'zebra']) usage.countMissed(GUIDE, text, true)
  usage.countMissed(GUIDE, 'zebra crossing')
  usage.countMissed(GUIDE, 'zebra crossings')
  const seen = usage.take().map(({ item, count }) => `${item}: ${count}`)
  assert.deepEqual(seen, ['zebra: 1', 'x: 1', 'zebra crossing: 1', 'zebra crossings: 1'])
})

const ENGINES = await bothEngines()

/** An empty database with the projects `acme/guide` and `acme/other`. */
async function withProjects(migrated: () => Promise<Database>): Promise<Database> {
  const database = await migrated()
  await database.run("INSERT INTO workspace (id, created_at, name, draft_name) VALUES ('acme', 1, 'Acme', 'Acme')")
  for (const { project } of [GUIDE, OTHER])
    await database.run(
      `INSERT INTO project (workspace, id, instance, created_at, updated_at, draft_snapshot, draft_name, draft_visibility, draft_revisions, draft_facts, draft_authors, file_key)
       VALUES ('acme', ?, ?, 1, 1, 'none', 'Guide', 'private', 'private', 1, '[]', 1)`,
      project,
      project,
    )
  return database
}

for (const { name, skip, migrated } of ENGINES) {
  test(`${name}: the counts of several processes are added up, and days of more than 400 days ago are removed`, {
    skip,
  }, async () => {
    const database = await withProjects(migrated)
    let now = NOON
    const processes = [1, 2].map(() => openUsage(() => now))
    const write = () =>
      Promise.all(processes.map(usage => openUsageWriter(database, usage, () => now, UNEXPECTED).stop()))
    for (const usage of processes) for (let at = 0; at < 250; at++) usage.count(GUIDE, 'page', `page ${at}`)
    processes[0]?.count(OTHER, 'api', 'getStyles')
    processes[0]?.count({ ...GUIDE, project: 'deleted' }, 'api', 'getStyles')
    await write()
    const stored = await listUsage(database, GUIDE, '2026-11-23')
    assert.equal(stored.length, 250)
    assert.ok(stored.every(({ day, kind, count }) => day === '2026-11-23' && kind === 'page' && count === 2))
    const row = { day: '2026-11-23', kind: 'api', item: 'getStyles', count: 1 }
    assert.deepEqual(await listUsage(database, OTHER, '2026-11-23'), [row])
    assert.deepEqual(await listUsage(database, { ...GUIDE, project: 'deleted' }, '2026-11-23'), [])
    const days = ['2026-11-22', '2026-11-23'] as const
    assert.deepEqual(await sumUsage(database, GUIDE, 'day', days), [{ kind: 'page', key: '2026-11-23', count: 500 }])
    assert.deepEqual((await sumUsage(database, GUIDE, 'item', days))[0], { kind: 'page', key: 'page 0', count: 2 })
    assert.deepEqual(await sumUsage(database, { workspace: 'acme' }, 'project', days), [
      { kind: 'page', key: 'guide', count: 500 },
      { kind: 'api', key: 'other', count: 1 },
    ])
    now += 400 * DAY_MS
    processes[1]?.count(OTHER, 'page', 'index')
    await write()
    assert.equal((await listUsage(database, GUIDE, '')).length, 250)
    now += DAY_MS
    processes[1]?.count(OTHER, 'page', 'index')
    await write()
    assert.deepEqual(await listUsage(database, GUIDE, ''), [])
    assert.equal((await listUsage(database, OTHER, '')).length, 2)
    await database.close()
  })

  test(`${name}: a project keeps the 200 most frequent searches without a result of a day, in all processes together`, {
    skip,
  }, async () => {
    const database = await withProjects(migrated)
    let now = NOON
    const search = async (from: number, to: number) => {
      const usage = openUsage(() => now)
      for (let at = from; at < to; at++) usage.countMissed(GUIDE, `word ${at}`)
      usage.countMissed(OTHER, 'word')
      await openUsageWriter(database, usage, () => now, UNEXPECTED).stop()
    }
    await search(0, 150)
    await Promise.all([search(140, 210), search(100, 350)])
    const counts = new Map((await listUsage(database, GUIDE, '')).map(({ item, count }) => [item, count]))
    assert.equal(counts.size, 200)
    assert.deepEqual([counts.get('word 0'), counts.get('word 120'), counts.get('word 145')], [1, 2, 3])
    assert.equal((await listUsage(database, OTHER, ''))[0]?.count, 3)
    const usage = openUsage(() => now)
    for (const text of ['zebra', 'zebra', 'rare']) usage.countMissed(GUIDE, text)
    await openUsageWriter(database, usage, () => now, UNEXPECTED).stop()
    const items = (await listUsage(database, GUIDE, '')).map(({ item, count }) => `${item} ${count}`)
    assert.deepEqual([items.length, items.includes('zebra 2'), items.includes('rare 1')], [200, true, false])
    assert.ok(items.includes('word 145 3'))
    now += DAY_MS
    await search(300, 303)
    assert.equal((await listUsage(database, GUIDE, '2026-11-24')).length, 3)
    await database.close()
  })
}

test('counts that cannot be written stay due, and only unexpected failures are logged', async () => {
  const database = await withProjects(ENGINES[0].migrated)
  const outage = new DatabaseOutage({ what: 'away', fix: 'wait' })
  const failures: unknown[] = [outage, new Error('unexpected')]
  let transactions = 0
  const failing: Database = {
    ...database,
    transaction: (work, options) => {
      transactions += 1
      const failure = failures.shift()
      return failure ? Promise.reject(failure) : database.transaction(work, options)
    },
  }
  const logged: object[] = []
  const usage = openUsage(() => NOON)
  const writer = openUsageWriter(failing, usage, () => NOON, { error: fields => void logged.push(fields) })
  await writer.write()
  assert.equal(transactions, 0)
  usage.count(GUIDE, 'page', 'index')
  await writer.write()
  usage.count(GUIDE, 'page', 'index')
  await Promise.all([writer.write(), writer.write()])
  assert.equal(transactions, 2)
  assert.equal(logged.length, 1)
  await writer.stop()
  assert.deepEqual(await listUsage(database, GUIDE, ''), [{ day: '2026-11-23', kind: 'page', item: 'index', count: 2 }])
  await database.close()
})

test('counts are written each minute', async ({ mock }) => {
  mock.timers.enable({ apis: ['setInterval'] })
  const database = await withProjects(ENGINES[0].migrated)
  const usage = openUsage(() => NOON)
  const writer = openUsageWriter(database, usage, () => NOON, UNEXPECTED)
  for (const count of [1, 2]) {
    usage.count(GUIDE, 'page', 'index')
    mock.timers.tick(59_999)
    assert.equal((await listUsage(database, GUIDE, ''))[0]?.count ?? 0, count - 1)
    mock.timers.tick(1)
    assert.deepEqual(usage.take(), [])
    await writer.write()
    assert.equal((await listUsage(database, GUIDE, ''))[0]?.count, count)
  }
  await writer.stop()
  await database.close()
})
