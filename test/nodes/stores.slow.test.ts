import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { Agent } from 'node:http'
import { join } from 'node:path'
import test, { after, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readSettings } from '#platform/settings/settings.ts'
import { startService } from '#program/compose/compose.ts'
import { openSharedStore } from '#store/shared-store.ts'
import { sharedPostgres } from '#test/support/engines.ts'
import { commandsWith, MAIN } from '../program/cli/housestyle.ts'
import { startLimitedNodes } from '../serving/access/limit/limited-nodes.ts'
import { serve } from '../support/command.ts'
import { startPostgres } from '../support/postgres.ts'
import { needs } from '../support/programs.ts'
import { type RedisServer, startRedis, untilReplicated } from '../support/redis.ts'
import { startWatched } from '../support/redis-sentinels.ts'
import { ask } from '../support/requests.ts'
import { type Fault, startS3 } from '../support/s3.ts'
import { silent } from '../support/service.ts'
import { temporaryFolder, writeFolder } from '../support/temporary.ts'
import { SMALL_BRAND } from '../support/temporary-store.ts'
import { until } from '../support/until.ts'

const CONNECTIONS = 4
const { skip, server: postgres } = await sharedPostgres()
const NEEDS_POSTGRES = { skip }
const GUIDE = '/beta/workspace/acme/project/guide'

/** A brand folder at a revision: the second one has another name, lacks a file, and hides a page. */
function contents(revision: 1 | 2): Record<string, string> {
  return {
    'guide/project.yaml': `name: Revision ${revision}\n`,
    'open/project.yaml': `name: Open\nvisibility: ${revision === 1 ? 'public' : 'private'}\n`,
    'open/pages/index.md': '# Open\n',
    ...(revision === 1 && { 'guide/files/notes.txt': 'Notes\n' }),
  }
}

type Replies = Record<string, readonly string[]>

/**
 * Stops a node, changes its store, sends requests on open connections, and continues the node. Returns the different
 * first replies, keyed by request.
 */
async function repliesAfterPause(
  t: TestContext,
  options: readonly string[],
  whileStopped = (change: () => Promise<void>) => change(),
): Promise<Replies> {
  const folder = join(await temporaryFolder(), 'acme')
  const run = commandsWith(...options)
  const publish = async (revision: 1 | 2) => {
    await rm(folder, { recursive: true, force: true })
    await writeFolder(folder, contents(revision))
    await run('import', folder)
    await run('publish', '--all')
  }
  await publish(1)
  const issue = async () => JSON.parse(await run('token', 'issue', 'acme', '--json'))
  const [kept, revoked] = [await issue(), await issue()]
  const node = await serve(MAIN, ...options, '--log', 'silent', '--rate', 'off')
  t.after(node.stop)
  const { files } = JSON.parse((await ask(`${node.url}${GUIDE}/files`, bearer(kept))).text)
  const agent = new Agent({ keepAlive: true })
  t.after(() => agent.destroy())
  const asked = {
    'a revoked token': () => ask(`${node.url}${GUIDE}`, { agent, ...bearer(revoked) }),
    'a new revision': () => ask(`${node.url}${GUIDE}`, { agent, ...bearer(kept) }),
    'a hidden page': () => ask(`${node.url}/acme/open`, { agent }),
    'a removed file': () => ask(node.url + new URL(files[0].url).pathname, { agent }),
  }
  const askAll = async () => {
    const replies = Object.entries(asked).map(async ([name, request]) => {
      const texts = await Promise.all(Array.from({ length: CONNECTIONS }, async () => said(await request())))
      return [name, [...new Set(texts)]] as const
    })
    return Object.fromEntries(await Promise.all(replies))
  }
  for (let round = 0; round < 2; round++) assert.deepEqual(await askAll(), BEFORE)
  process.kill(node.pid, 'SIGSTOP')
  await whileStopped(async () => {
    await publish(2)
    await run('token', 'revoke', revoked.jti)
  })
  const replies = askAll()
  // The requests are in the buffers of the node's sockets before it continues, and half a second counts as a pause.
  await sleep(1000)
  process.kill(node.pid, 'SIGCONT')
  return await replies
}

function bearer({ token }: { token: string }) {
  return { headers: { authorization: `Bearer ${token}` } }
}

/** The status of a reply, with the name of the project if it has one. */
function said({ status, text }: { status: number; text: string }): string {
  return `${status} ${/Revision \d/.exec(text)?.[0] ?? ''}`.trim()
}

const BEFORE = {
  'a revoked token': ['200 Revision 1'],
  'a new revision': ['200 Revision 1'],
  'a hidden page': ['200 Revision 1'],
  'a removed file': ['200'],
}
const AFTER = {
  'a revoked token': ['401'],
  'a new revision': ['200 Revision 2'],
  'a hidden page': ['404'],
  'a removed file': ['404'],
}

test('the first replies after a process was stopped for a while reflect changes in the meantime, on SQLite', async t => {
  const options = ['--data', join(await temporaryFolder(), 'data')]
  assert.deepEqual(await repliesAfterPause(t, options), AFTER)
})

test('the first replies after a process was stopped reflect changes since, on Postgres', NEEDS_POSTGRES, async t => {
  assert.ok(postgres)
  const options = ['--database', await postgres.newDatabase(), '--data', join(await temporaryFolder(), 'data')]
  assert.deepEqual(await repliesAfterPause(t, options), AFTER)
})

test('after a pause in which Postgres went away, replies from memory come within seconds', NEEDS_POSTGRES, async t => {
  assert.ok(postgres)
  const options = ['--database', await postgres.newDatabase(), '--data', join(await temporaryFolder(), 'data')]
  assert.deepEqual(await repliesAfterPause(t, options, () => postgres.kill()), BEFORE)
})

/* A service whose bucket fails while clients ask for pages, the API and files, and what each of them sees. */

const NEEDS_BUCKET = needs('swift-proxy-server')
const SMALL = randomBytes(20_000)
/** Five blocks. */
const LARGE = randomBytes(5 << 18)
const OBJECT = /^GET .*[0-9a-f]{64}/
const FILE = /^GET .*[0-9a-f]{64}\?/
const LARGE_HASH = createHash('sha256').update(LARGE).digest('hex')
const LARGE_OBJECT = new RegExp(`^GET .*${LARGE_HASH}`)
const NOT_LARGE = new RegExp(`^GET (?!.*${LARGE_HASH})`)

type Case = { fault: Fault; sees: RegExp; isDegraded?: boolean }

/**
 * Faults of a bucket, and the possible replies for files and parts of files during each. The service is degraded unless
 * stated otherwise.
 */
const CASES: Readonly<Record<string, Case>> = {
  'answers each request half a second late': { fault: { how: 'slow' }, sees: /^whole$/, isDegraded: false },
  'never answers': { fault: { how: 'stalled' }, sees: /^503$/ },
  'stops in the middle of large files': {
    fault: { how: 'stalled-download', which: LARGE_OBJECT, times: 2 },
    sees: /^whole$/,
    isDegraded: false,
  },
  'sends ten bytes a second': { fault: { how: 'trickle', which: NOT_LARGE }, sees: /^(503|whole)$/ },
  'answers 500': { fault: { how: 'error' }, sees: /^503$/ },
  'answers 503 SlowDown': { fault: { how: 'slow-down' }, sees: /^503$/ },
  'answers one request in three with 503 SlowDown': {
    fault: { how: 'slow-down', every: 3 },
    sees: /^(whole|503)$/,
    isDegraded: false,
  },
  'resets connections': { fault: { how: 'reset' }, sees: /^503$/ },
  'cuts downloads': { fault: { how: 'cut-download', which: OBJECT }, sees: /^(cut|503)$/, isDegraded: false },
  'sends wrong bytes': { fault: { how: 'wrong-bytes', which: OBJECT }, sees: /^(cut|503)$/ },
  'sends a wrong byte at the end, and correct block lists': {
    fault: { how: 'wrong-last-byte', which: FILE },
    sees: /^(cut|503)$/,
  },
  'sends half of a file as the whole file': { fault: { how: 'wrong-length', which: OBJECT }, sees: /^(cut|503)$/ },
  'sends more bytes than the file, all of them wrong': {
    fault: { how: 'longer', which: OBJECT },
    sees: /^(cut|503)$/,
  },
  'is hidden by a proxy page': { fault: { how: 'page' }, sees: /^503$/ },
  'is hidden by a 502 from a proxy': { fault: { how: 'bad-gateway' }, sees: /^503$/ },
  'is hidden by a redirect': { fault: { how: 'redirect' }, sees: /^503$/ },
  'no longer knows the key': { fault: { how: 'other-key' }, sees: /^503$/ },
  'denies everything': { fault: { how: 'denied' }, sees: /^503$/ },
  'says that the clock is wrong': { fault: { how: 'other-clock' }, sees: /^503$/ },
  'has lost its bucket': { fault: { how: 'no-bucket' }, sees: /^503$/ },
}

test(
  'while a bucket fails, pages and the API work, nobody accepts wrong bytes, and it recovers',
  NEEDS_BUCKET,
  async t => {
    const all = await startAll()
    for (const [what, each] of Object.entries(CASES)) await assertCase(t, all, what, each)
  },
)

async function assertCase(
  t: TestContext,
  { s3, url, paths, token, readyz }: Awaited<ReturnType<typeof startAll>>,
  what: string,
  { fault, sees, isDegraded = true }: Case,
): Promise<void> {
  const clients = [
    client(url, paths.page, 'page'),
    client(url, '/beta/workspace/acme/project/guidelines/files', 'API', { token }),
    client(url, paths.small, 'HEAD', { whole: SMALL, method: 'HEAD' }),
    client(url, paths.large, 'HEAD', { whole: LARGE, method: 'HEAD' }),
    ...[1, 2].map(() => client(url, paths.small, 'small file', { whole: SMALL })),
    client(url, paths.large, 'large file', { whole: LARGE }),
    client(url, paths.small, 'small file', { whole: SMALL.subarray(100, 200), range: 'bytes=100-199' }),
    client(url, paths.large, 'part of a large file', { whole: LARGE.subarray(1000, 2000), range: 'bytes=1000-1999' }),
    client(url, paths.large, 'large file from its second byte on', { whole: LARGE.subarray(1), range: 'bytes=1-' }),
  ]
  s3.fail(fault)
  for (const { run } of clients) run()
  while (clients.some(({ outcomes }) => outcomes.length === 0)) await sleep(20)
  while (isDegraded && (await readyz()) !== 'degraded: files\n') await sleep(20)
  assert.equal(await readyz(), isDegraded ? 'degraded: files\n' : 'ready\n', what)
  const outcomes = (await Promise.all(clients.map(({ stop }) => stop()))).flat()
  s3.fail()
  const began = performance.now()
  while ((await readyz()) !== 'ready\n') await sleep(20)
  t.diagnostic(`${what}: ${summary(outcomes)}; ready after ${Math.round(performance.now() - began)} ms`)
  for (const { kind, saw: seen } of outcomes) {
    assert.match(seen, UNTOUCHED.includes(kind) ? /^whole$/ : sees, `${what}: ${kind}`)
  }
  assert.equal(await saw(url + paths.small, { whole: SMALL }), 'whole', what)
  assert.equal(await saw(url + paths.large, { whole: LARGE }), 'whole', what)
}

/** The requests that do not need the bucket. */
const UNTOUCHED = ['page', 'API', 'HEAD']

/** Starts a service for a published brand with its files in a bucket. */
async function startAll() {
  const s3 = await startS3()
  after(s3.stop)
  const folder = await temporaryFolder()
  const brand = { ...SMALL_BRAND, 'guidelines/files/small.bin': SMALL, 'guidelines/files/large.bin': LARGE }
  await writeFolder(join(folder, 'acme'), brand)
  const flags = { data: join(folder, 'data'), files: await s3.newPlace(), port: '0', rate: 'off' }
  const place = ['--data', flags.data, '--files', flags.files]
  const run = commandsWith(...place)
  await run('import', join(folder, 'acme'))
  await run('publish', '--all')
  const issued = await run('token', 'issue', 'acme', '--expires', '1d')
  const settings = readSettings({ flags, environment: {}, file: {}, trust: [], readSecret: String })
  const store = await openSharedStore(settings)
  const { url, stop } = await startService(settings, store, silent)
  after(async () => {
    await stop()
    await store.close()
  })
  const text = await (await fetch(`${url}/acme/guidelines/-/files`)).text()
  const pathOf = (name: string) => new RegExp(`href="(/acme/guidelines/-/files/[^"]*${name})"`).exec(text)?.[1] ?? ''
  const paths = { page: '/acme/guidelines/-/files', small: pathOf('small.bin'), large: pathOf('large.bin') }
  return { s3, url, paths, token: issued.trim(), readyz: async () => (await fetch(`${url}/readyz`)).text() }
}

type Wanted = { whole?: Uint8Array; range?: string; token?: string; method?: string }
type Outcome = { kind: string; saw: string; milliseconds: number }

/** Repeats a request until it is stopped. */
function client(url: string, path: string, kind: string, wanted: Wanted = {}) {
  const outcomes: Outcome[] = []
  let isStopped = false
  let done: Promise<void> | undefined
  const ask = async () => {
    while (!isStopped) {
      const began = performance.now()
      outcomes.push({ kind, saw: await saw(url + path, wanted), milliseconds: performance.now() - began })
      await sleep(300)
    }
  }
  return {
    outcomes,
    run: () => {
      done = ask()
    },
    stop: async () => {
      isStopped = true
      await done
      return outcomes
    },
  }
}

/** The result for a client: `whole`, `503` with `Retry-After`, `cut`, or an unexpected one. */
async function saw(url: string, { whole, range, token, method = 'GET' }: Wanted): Promise<string> {
  const headers = { ...(range && { Range: range }), ...(token && { Authorization: `Bearer ${token}` }) }
  try {
    const reply = await fetch(url, { method, headers })
    const bytes = new Uint8Array(await reply.arrayBuffer())
    if (reply.status === 503 && reply.headers.get('Retry-After')) return '503'
    if (!reply.ok) return `${reply.status}`
    if (method === 'HEAD') return reply.headers.get('Content-Length') === `${whole?.length}` ? 'whole' : 'other length'
    return whole === undefined || Buffer.compare(bytes, whole) === 0 ? 'whole' : 'other bytes'
  } catch {
    return 'cut'
  }
}

function summary(outcomes: readonly Outcome[]): string {
  const groups = Object.entries(Object.groupBy(outcomes, ({ kind, saw: seen }) => `${kind} ${seen}`))
  return groups
    .map(
      ([name, all = []]) => `${all.length} ${name} ${Math.round(Math.max(...all.map(each => each.milliseconds)))} ms`,
    )
    .sort()
    .join(', ')
}

const PROJECT = '/beta/workspace/acme/project/guidelines'
const OPERATIONS = [
  '/beta/workspace/acme',
  '/beta/workspace/acme/projects',
  ...['', '/styles', '/pages', '/files', '/page/logo'].map(below => PROJECT + below),
  `${PROJECT}/page/none`,
  '/beta/workspace/acme/project/none',
]

/** A node's own queries, without any request: changes, plans, the availability of the store, and its lease. */
const BY_ITSELF = [
  /FROM change$/,
  /^SELECT value FROM identity/,
  /^SELECT \* FROM copy/,
  /FROM planned_publication/,
  /^(?:DELETE FROM|INSERT INTO) service/,
  /^(?:BEGIN|COMMIT|SET LOCAL|SELECT pg_notify|SELECT pg_advisory_xact_lock)/,
  /clock_timestamp/,
  /pg_stat_statements/,
]

/** The log line after which a node no longer reads guides without any request. */
const PREPARED = 'the latest guides are prepared for their first readers'

test('API requests query neither Postgres nor S3', needs('postgres', 'redis-server', 'swift-proxy-server'), async t => {
  const postgres = await startPostgres(['-c', 'shared_preload_libraries=pg_stat_statements'])
  const [s3, redis] = await Promise.all([startS3(), startRedis()])
  t.after(() => Promise.all([postgres.stop(), s3.stop(), redis.stop()]))
  const folder = await temporaryFolder()
  const database = await postgres.newDatabase()
  const store = ['--database', database, '--files', await s3.newPlace()]
  await writeFolder(join(folder, 'acme'), SMALL_BRAND)
  const run = commandsWith(...store)
  await run('import', join(folder, 'acme'))
  await run('publish', 'acme/guidelines', 'acme/empty')
  const token = (await run('token', 'issue', 'acme')).trim()
  const name = new URL(database).pathname.slice(1)
  await postgres.query('CREATE EXTENSION pg_stat_statements; SELECT pg_stat_statements_reset()', name)
  const service = await serve(MAIN, ...store, '--limits', redis.url, '--rate', '100000/60', '--log', 'debug')
  t.after(service.stop)
  const headers = { authorization: `Bearer ${token}` }
  const ask = async (path: string) => {
    const reply = await fetch(service.url + path, { headers })
    await reply.arrayBuffer()
    return reply.status
  }
  const statements = async () => {
    const { rows } = await postgres.query('SELECT query, calls FROM pg_stat_statements', name)
    return rows.filter(({ query }) => !BY_ITSELF.some(own => own.test(String(query))))
  }
  for (const path of OPERATIONS) await ask(path)
  await until(() => service.logged().includes(PREPARED))
  assert.notDeepEqual(await statements(), [])
  const askMany = async () => {
    await postgres.query('SELECT pg_stat_statements_reset()', name)
    const reads = filesRead(s3).length
    const steps = await scriptsRun(redis)
    const statuses = new Set<number>()
    for (let asked = 0; asked < 300; asked += 20) {
      const paths = Array.from({ length: 20 }, (_, at) => OPERATIONS[(asked + at) % OPERATIONS.length] ?? '')
      for (const status of await Promise.all(paths.map(ask))) statuses.add(status)
    }
    const queries = await statements()
    return { statuses, queries, reads: filesRead(s3).length - reads, steps: (await scriptsRun(redis)) - steps }
  }
  const measured = await askMany()
  assert.deepEqual([...measured.statuses].sort(), [200, 404])
  assert.deepEqual(measured.queries, [])
  assert.equal(measured.reads, 0)
  // The node also checks every few seconds that the limit can be reached.
  assert.ok(measured.steps < 310, `${measured.steps} steps`)

  for (let at = 0; at < 50; at++) assert.equal(await ask(`/nobody-${at}/guide-${at}`), 404)
  for (let at = 0; at < 50; at++) assert.equal(await ask(`/acme/guide-${at}`), 404)
  assert.deepEqual(await statements(), [])
})

/** All requests except the check of the store's availability, every two seconds. */
const filesRead = ({ seen }: { seen: string[] }) => seen.filter(request => !request.includes('/.store?'))

async function scriptsRun({ info }: RedisServer): Promise<number> {
  const counts = (await info('commandstats')).matchAll(/^cmdstat_eval(?:sha)?:calls=(\d+)/gm)
  return Array.from(counts, ([, calls]) => Number(calls)).reduce((sum, calls) => sum + calls, 0)
}

test('during a sentinel failover no request fails, and rates hold', needs('redis-server'), async t => {
  const watched = await startWatched('s3cret', 'watch3r')
  t.after(watched.stop)
  const places = watched.sentinels.map(({ port }) => `127.0.0.1:${port}`)
  const limits = `redis+sentinel://:s3cret@${places.join(',')}/main/1?sentinel_password=watch3r`
  const nodes = await startLimitedNodes(2, limits, '60/600')
  await nodes.untilReadyz('ready')
  const before = await nodes.ask('acme', 100)
  assert.deepEqual(countOf(before), { 200: 60, 429: 40 })
  await untilReplicated(watched.primary)

  const load = nodes.load('acme')
  await watched.primary.stop()
  const killed = performance.now()
  await nodes.untilReadyz('degraded: limits')
  await nodes.untilReadyz('ready')
  const seen = await load.stop()
  t.diagnostic(`the limit was shared again after ${Math.round(performance.now() - killed)} ms: ${JSON.stringify(seen)}`)
  // Each process allowed 30 of the 60 before, and 30 more by itself.
  assert.deepEqual(Object.keys(seen), ['200', '429'])
  assert.equal(seen[200], 60)
  assert.deepEqual(countOf(await nodes.ask('acme', 20)), { 429: 20 })
  assert.deepEqual(countOf(await nodes.ask('busy', 100)), { 200: 60, 429: 40 })

  const log = JSON.stringify(await nodes.stop())
  assert.doesNotMatch(log, /s3cret|watch3r/)
})

/** The count of each status. */
function countOf(statuses: readonly number[]): Record<string, number> {
  const count: Record<string, number> = {}
  for (const status of statuses) count[status] = (count[status] ?? 0) + 1
  return count
}
