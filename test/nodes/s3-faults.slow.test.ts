import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import test, { after, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readSettings } from '#platform/settings/settings.ts'
import { startService } from '#program/compose/compose.ts'
import { openSharedStore } from '#store/shared-store.ts'
import { commandsWith } from '../program/cli/housestyle.ts'
import { needs } from '../support/programs.ts'
import { type Fault, startS3 } from '../support/s3.ts'
import { silent } from '../support/service.ts'
import { SMALL_BRAND } from '../support/small-brand.ts'
import { temporaryFolder, writeFolder } from '../support/temporary.ts'

/* A service whose bucket fails while clients ask for pages, the API and files, and what each of them sees. */

const { skip } = needs('swift-proxy-server')
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

test('while a bucket fails, pages, the API and HEAD keep working, no client accepts wrong bytes, and the service recovers by itself', {
  skip,
}, async t => {
  const all = await startAll()
  for (const [what, each] of Object.entries(CASES)) await assertCase(t, all, what, each)
})

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
