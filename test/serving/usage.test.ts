import assert from 'node:assert/strict'
import test from 'node:test'
import type { RequestHeaders } from '#platform/exchange/request-fields.ts'
import { isDownload, openUsage, openUsageWriter } from '#serving/usage.ts'
import { listUsage, sumUsage } from '#store/catalogue/usage.ts'
import type { Database } from '#store/database/database.ts'
import { DatabaseOutage } from '#store/store-error.ts'
import { bothEngines } from '#test/support/engines.ts'
import { REVISIONS, send } from '../support/agent-client.ts'
import { sessionCookie } from '../support/people-service.ts'
import { type TestSettings, testService } from '../support/service.ts'
import { resultOf, SMALL_BRAND, temporaryStore } from '../support/temporary-store.ts'

const DAY_MS = 86_400_000
const NOON = Date.UTC(2026, 10, 23, 12)
const GUIDE = { workspace: 'acme', project: 'guide' }
const OTHER = { workspace: 'acme', project: 'other' }
const UNEXPECTED = { error: (fields: object) => assert.fail(JSON.stringify(fields)) }

const ENGINES = await bothEngines()

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
  test(`${name}: counts of several processes are added up, and kept for 400 days`, { skip }, async () => {
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

  test(`${name}: a project keeps the 200 most frequent searches without a result of a day`, { skip }, async () => {
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

const OF_A_PAGE = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'
const OF_A_PICTURE = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8'
const REFERER = 'https://brand.test/acme/guide'

const REQUESTS: Readonly<Record<string, [isDownload: boolean, headers: RequestHeaders]>> = {
  'a link': [true, { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate', accept: OF_A_PAGE }],
  'a link with download': [true, { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'navigate', referer: REFERER }],
  '“Save link as”': [true, { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'no-cors' }],
  'a link without https': [true, { accept: OF_A_PAGE, referer: REFERER }],
  'a link with download without https': [true, { referer: REFERER }],
  'Node’s fetch': [true, { 'sec-fetch-mode': 'cors', accept: '*/*' }],
  curl: [true, { accept: '*/*' }],
  'a program that accepts nothing in particular': [true, {}],
  'the first part of a download': [true, { range: 'bytes=0-99' }],
  'a later part of a download': [false, { range: 'bytes=100-' }],
  'a picture of a page': [false, { 'sec-fetch-dest': 'image', 'sec-fetch-mode': 'no-cors', accept: OF_A_PICTURE }],
  'an icon without https': [false, { accept: OF_A_PICTURE, referer: REFERER }],
  'a style sheet': [false, { accept: 'text/css,*/*;q=0.1' }],
  'a font': [false, { 'sec-fetch-dest': 'font', 'sec-fetch-mode': 'cors', accept: '*/*' }],
  'a font without https': [false, { accept: '*/*', origin: 'http://brand.test', referer: REFERER }],
  'a film': [false, { 'sec-fetch-dest': 'video', 'sec-fetch-mode': 'no-cors', range: 'bytes=0-' }],
  'a film without https': [false, { accept: '*/*', range: 'bytes=0-', referer: REFERER }],
  'a frame': [false, { 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate', accept: OF_A_PAGE }],
  'a PDF in a page': [false, { 'sec-fetch-dest': 'embed', 'sec-fetch-mode': 'navigate', accept: OF_A_PAGE }],
  'a script of a page': [false, { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors', accept: '*/*' }],
}

for (const [name, [expected, headers]] of Object.entries(REQUESTS))
  test(`a file counts as ${expected ? 'downloaded' : 'shown, not downloaded,'} for ${name}`, () => {
    assert.equal(isDownload({ headers }), expected)
  })

test('files, and archives of folders and of all files, count as downloads, but not if a page loads them', async () => {
  const temporary = await temporaryStore()
  await temporary.publishing('acme/guide', {
    'guide/project.yaml': 'name: Guide\nvisibility: public\n',
    'guide/pages/index.md': '# Home\n\n[Mark](../files/logo/mark.svg)\n',
    'guide/files/logo/mark.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"/>',
  })
  const { ask, close } = await testService(temporary)
  const { text } = await ask('/acme/guide')
  const file = /\/acme\/guide\/-\/files\/[\w-]+\/mark\.svg/.exec(text)?.[0] ?? ''
  for (const address of [file, '/acme/guide/-/kits/logo.zip', '/acme/guide/-/files.zip'])
    for (const dest of ['document', 'image'])
      assert.equal((await ask(address, { headers: { 'sec-fetch-dest': dest } })).status, 200)
  assert.equal((await ask('/acme/guide/-/kits/none.zip')).status, 404)
  await close()
  const rows = await listUsage(temporary.store.database, { workspace: 'acme', project: 'guide' }, '')
  const seen = rows.flatMap(({ kind, item, count }) => (kind === 'file' ? [`${item} ${count}`] : []))
  assert.deepEqual(seen, ['files/ 1', 'files/logo/ 1', 'files/logo/mark.svg 1'])
})

const MAIN = 'acme/guidelines'

/** A service on a new store; `rows` stops it and returns the counted rows without the day. */
async function openCounted(settings: TestSettings = {}) {
  const temporary = await temporaryStore()
  await temporary.importing('acme', { ...SMALL_BRAND, 'closed/project.yaml': 'name: Closed\n' })
  for (const project of ['guidelines', 'closed']) await temporary.publish(`acme/${project}`)
  const service = await testService(temporary, settings)
  const rows = async (place = MAIN): Promise<string[]> => {
    await service.close()
    const found: Record<string, unknown>[] = await resultOf(temporary.folder, ['usage', place, '--since', '2000-01-01'])
    return found.map(({ kind, item, count }) => `${kind} ${item} ${count}`)
  }
  return { ...temporary, ...service, rows }
}

test('pages count by id, the home page as index, also as Markdown; generated pages and redirects do not count', async () => {
  const { ask, rows } = await openCounted()
  for (const path of ['', '.md', '/logo', '/logo', '/logo.md', '/logo/misuse', '/%E8%89%B2'])
    assert.equal((await ask(`/${MAIN}${path}`)).status, 200, path)
  for (const path of ['/-/colors', '/-/pages', '/-/files', '/llms.txt', '/-/theme.css'])
    assert.equal((await ask(`/${MAIN}${path}`)).status, 200, path)
  assert.equal((await ask(`/${MAIN}/index`)).status, 308)
  assert.deepEqual(await rows(), ['page logo 3', 'page index 2', 'page logo/misuse 1', 'page 色 1'])
})

test('only GET requests with the replies 200 and 206 count', async () => {
  const { ask, rows } = await openCounted()
  const home = await ask(`/${MAIN}`)
  const conditional = { 'if-none-match': home.headers.get('etag') ?? '' }
  assert.equal((await ask(`/${MAIN}`, { headers: conditional })).status, 304)
  assert.equal((await ask(`/${MAIN}`, { method: 'HEAD' })).status, 200)
  assert.equal((await ask(`/${MAIN}`, { method: 'POST' })).status, 405)
  assert.equal((await ask(`/${MAIN}/unknown`)).status, 404)
  assert.equal((await ask('/acme/closed')).status, 404)
  assert.equal((await ask(`/${MAIN}/-/exports/unknown.css`)).status, 404)
  const [file = ''] = /\/-\/files\/[\w-]+\/pixel\.png/.exec((await ask(`/${MAIN}/-/file/files/pixel.png`)).text) ?? []
  const path = `/${MAIN}${file}`
  assert.equal((await ask(path)).status, 200)
  assert.equal((await ask(path, { headers: { range: 'bytes=0-3' } })).status, 206)
  assert.equal((await ask(path, { headers: { range: 'bytes=900-' } })).status, 416)
  assert.equal((await ask(path, { method: 'HEAD' })).status, 200)
  assert.deepEqual(await rows(), ['file files/pixel.png 2', 'page index 1'])
})

test('exports count by name, and operations by id, only for projects', async () => {
  const { ask, issue, rows } = await openCounted()
  const { token } = await issue('acme')
  for (const name of ['styles.json', 'styles.json', 'colors.csv'])
    assert.equal((await ask(`/${MAIN}/-/exports/${name}`)).status, 200, name)
  const api = '/beta/workspace/acme'
  for (const path of [
    '',
    '/projects',
    '/project/guidelines',
    '/project/guidelines/styles',
    '/project/guidelines/styles',
  ])
    assert.equal((await ask(api + path, { token })).status, 200, path)
  assert.equal((await ask(`${api}/project/guidelines/styles`)).status, 401)
  assert.equal((await ask(`${api}/project/guidelines/page/unknown`, { token })).status, 404)
  assert.deepEqual(await rows(), ['api getStyles 2', 'api getProject 1', 'export styles.json 2', 'export colors.csv 1'])
})

test('searches without a result count by their words, unless a filter of files is why', async () => {
  const { ask, rows } = await openCounted()
  const search = (text: string, accept = 'text/html') =>
    ask(`/${MAIN}/-/search?q=${encodeURIComponent(text)}`, { headers: { accept } })
  for (const text of ['Zebra', ' zebra', 'logo', '']) assert.equal((await search(text)).status, 200)
  for (const text of ['ocel', 'ocelot']) assert.equal((await search(text, 'application/json')).status, 200)
  assert.equal((await ask(`/${MAIN}/-/search?q=tiger`, { method: 'HEAD' })).status, 200)
  assert.deepEqual(await rows(), ['missed zebra 2', 'missed ocelot 1'])
})

for (const revision of REVISIONS)
  test(`successful calls of agents count by tool for the projects that they read (${revision})`, async () => {
    const { service, issue, rows } = await openCounted()
    const { token } = await issue('acme')
    const call = (name: string, args: object, path?: string) =>
      send(service, path ?? '/mcp', {
        method: 'tools/call',
        params: { name, arguments: args },
        revision,
        ...(path === undefined && { token }),
      })
    await call('list_pages', { project: 'guidelines' })
    await call('list_pages', { project: 'closed' })
    await call('list_projects', {})
    await call('fetch', { id: 'page:guidelines/logo' })
    await call('get_page', { project: 'guidelines', page: 'unknown' })
    await call('search', { query: 'zebra' })
    await call('list_pages', {}, `/${MAIN}/-/mcp`)
    assert.deepEqual(await rows(), ['agent list_pages 2', 'agent fetch 1', 'agent search 1', 'missed zebra 1'])
    assert.deepEqual(await rows('acme/closed'), ['agent list_pages 1', 'agent search 1', 'missed zebra 1'])
  })

test('people and share links count in private guides; drafts do not count for anyone', async () => {
  const temporary = await openCounted()
  const { ask, folder, importing, rows } = temporary
  await importing('acme', {
    ...SMALL_BRAND,
    'closed/project.yaml': 'name: Closed\n',
    'closed/pages/index.md': '# Hi\n',
  })
  const person = await sessionCookie(temporary, 'acme', { drafts: true })
  const { url } = await resultOf(folder, ['share', 'acme/closed'])
  const [link = ''] = ((await ask(new URL(url).pathname)).headers.get('set-cookie') ?? '').split(';')
  for (const cookie of [person, link]) assert.equal((await ask('/acme/closed', { headers: { cookie } })).status, 200)
  for (const path of ['', '/-/search?q=zebra', '/-/exports/styles.json'])
    assert.equal((await ask(`/acme/closed/-/draft${path}`, { headers: { cookie: person } })).status, 200, path)
  assert.deepEqual(await rows('acme/closed'), ['page index 2'])
})

test('nothing is counted with --usage off, and a deleted project has no counts', async () => {
  const off = await openCounted({ usage: false })
  assert.equal((await off.ask(`/${MAIN}`)).status, 200)
  assert.deepEqual(await off.rows(), [])
  const on = await openCounted()
  assert.equal((await on.ask(`/${MAIN}`)).status, 200)
  assert.deepEqual(await on.rows(), ['page index 1'])
  await resultOf(on.folder, ['delete', MAIN, '--yes'])
  await on.publish('acme/closed')
  await on.importing('acme', SMALL_BRAND)
  assert.deepEqual(await resultOf(on.folder, ['usage', MAIN]), [])
})
