import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { revoke } from '../../../src/access/token/tokens.ts'
import { startService } from '../../../src/compose.ts'
import { readSettings } from '../../../src/settings.ts'
import type { Log } from '../../../src/telemetry/log.ts'
import { SMALL_BRAND } from '../../support/small-brand.ts'
import { temporaryStore } from '../../support/temporary-store.ts'
import { threadShares } from '../../support/thread-shares.ts'
import { until } from '../../support/until.ts'

const temporary = await temporaryStore()
await temporary.importing('acme', { ...SMALL_BRAND, 'open/project.yaml': 'name: Open\nvisibility: public\n' })
await temporary.publish('acme/guidelines')
await temporary.publish('acme/open')
const { token } = await temporary.issue('acme')
const PROJECTS = '/beta/workspace/acme/projects'

/** What commands add to their settings. */
const COMMAND = { isLogGiven: true, storeMade: () => undefined }

type Line = { level: string; message: string; thread?: number }

/** A service of two threads, what it logs, and its threads. */
type Threaded = {
  url: string
  lines: Line[]
  threads: Worker[]
  ask: (path?: string) => Promise<Reply>
  catchUp: () => Promise<void>
  largestHeap: (() => number) | undefined
}
type Reply = { status: number; text: string; headers: Readonly<Record<string, unknown>> }

async function threaded(t: TestContext, flags: Readonly<Record<string, string>> = {}): Promise<Threaded> {
  const [lines, threads]: [Line[], Worker[]] = [[], []]
  const written = (level: string) => (fields: object, message: string) => void lines.push({ ...fields, level, message })
  const log: Log = { error: written('error'), warn: written('warn'), info: written('info'), debug: written('debug') }
  const note = (worker: Worker) => void threads.push(worker)
  process.on('worker', note)
  const own = { port: '0', rate: 'off', threads: '2', data: temporary.data }
  const sources = { environment: {}, file: {}, trust: [], readSecret: () => '' }
  const settings = readSettings({ ...sources, flags: { ...own, ...flags } })
  const { url, stop, catchUp, largestHeap } = await startService({ ...settings, ...COMMAND }, temporary.store, log)
  t.after(() => process.off('worker', note))
  t.after(stop)
  return { url, lines, threads, catchUp, largestHeap, ask: (path = PROJECTS) => askOn(new Agent(), url + path) }
}

type Asking = { token?: string; method?: string; body?: string }

function askOn(
  agent: Agent,
  url: string,
  { token: bearer = token, method = 'GET', body }: Asking = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const type = body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }
    const headers = { ...(body === undefined && { authorization: `Bearer ${bearer}` }), ...type }
    const sent = request(url, { agent, method, headers }, reply => {
      let text = ''
      reply.setEncoding('utf8').on('data', piece => {
        text += piece
      })
      reply.once('error', reject)
      reply.once('end', () => resolve({ status: reply.statusCode ?? 0, text, headers: reply.headers }))
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

/** The thread that gave a reply: the ids of its requests begin as those of no other. */
function threadOf({ headers }: Reply): string {
  return String(headers['x-request-id']).slice(0, 8)
}

/** Asks each of both threads so many times, at once; gives all replies. */
async function askBoth(url: string, target: string, times: number): Promise<Reply[]> {
  const asking = (await agentsOfBoth(url)).map(async agent => {
    const replies: Reply[] = []
    for (let time = 0; time < times; time++) replies.push(await askOn(agent, target))
    agent.destroy()
    return replies
  })
  return (await Promise.all(asking)).flat()
}

/** Opens so many connections at once and asks each of them several times; gives all replies, by connection. */
async function burst(url: string, connections: number, times: number): Promise<Reply[][]> {
  const clients = Array.from({ length: connections }, async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const replies: Reply[] = []
    for (let time = 0; time < times; time++) replies.push(await askOn(agent, url))
    agent.destroy()
    return replies
  })
  return Promise.all(clients)
}

test('a burst of connections is taken by both threads, at least a third by each', async t => {
  const { url } = await threaded(t)
  await burst(`${url}/healthz`, 64, 20) // Until its code is compiled.
  for (const connections of [32, 64, 500]) {
    const leasts: number[] = []
    for (let time = 0; time < BURSTS; time++)
      leasts.push(Math.min(...(await threadShares(`${url}/healthz`, connections))))
    assert.ok(Math.max(...leasts) >= connections / 3, `${leasts} of ${connections}`)
  }
})

/** On a busy machine a thread may get no processor while one burst comes. */
const BURSTS = 4

test('however many threads are asked, a workspace is allowed exactly its rate', async t => {
  const { url } = await threaded(t, { rate: '97/600' })
  const replies = await askBoth(url, url + PROJECTS, 100)
  assert.equal(new Set(replies.map(threadOf)).size, 2)
  assert.deepEqual(Object.groupBy(replies, ({ status }) => status)[200]?.length, 97)
  assert.ok(replies.every(({ status }) => status === 200 || status === 429))
  const left = replies.flatMap(({ status, headers }) => (status === 200 ? String(headers.ratelimit) : []))
  const numbers = left.map(text => Number(/;r=(\d+)/.exec(text)?.[1])).sort((a, b) => a - b)
  assert.deepEqual(
    numbers,
    Array.from({ length: 97 }, (_, at) => at),
  )
})

test('so is an address of pages that everyone may see', async t => {
  const { url } = await threaded(t, { ratePublic: '31/600' })
  const replies = await askBoth(url, `${url}/acme/open`, 30)
  assert.equal(new Set(replies.map(threadOf)).size, 2)
  assert.equal(replies.filter(({ status }) => status === 200).length, 31)
})

test('what is published and what is revoked is so on every thread within a second', async t => {
  const { url } = await threaded(t)
  const agents = await agentsOfBoth(url)
  const seen = (path: string, asking?: Asking) =>
    Promise.all(agents.map(async agent => (await askOn(agent, url + path, asking)).status))
  assert.deepEqual(await seen('/acme/later'), [404, 404])
  await temporary.importing('acme', { 'later/project.yaml': 'name: Later\nvisibility: public\n' })
  await temporary.publish('acme/later')
  await sleep(1000)
  assert.deepEqual(await seen('/acme/later'), [200, 200])
  const other = await temporary.issue('acme')
  await sleep(1000)
  assert.deepEqual(await seen(PROJECTS, other), [200, 200])
  await revoke(temporary.store.database, () => undefined, other.jti, new Date())
  await sleep(1000)
  assert.deepEqual(await seen(PROJECTS, other), [401, 401])
})

/** Two connections that stay, one to each thread. */
async function agentsOfBoth(url: string): Promise<Agent[]> {
  const byThread = new Map<string, Agent>()
  while (byThread.size < 2) {
    const agents = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const agent = new Agent({ keepAlive: true, maxSockets: 1 })
        return { agent, thread: threadOf(await askOn(agent, `${url}/healthz`)) }
      }),
    )
    for (const { agent, thread } of agents) {
      if (byThread.has(thread)) agent.destroy()
      else byThread.set(thread, agent)
    }
  }
  return [...byThread.values()]
}

for (const [how, end] of [
  ['is ended', (worker: Worker) => void worker.terminate()],
  ['throws', (worker: Worker) => worker.postMessage(null)],
] as const)
  test(`a thread that ${how} is logged and replaced, the other goes on, and its connections alone break`, async t => {
    const { url, threads, lines } = await threaded(t, { rate: '200/600' })
    const agents = await agentsOfBoth(url)
    const names = await Promise.all(agents.map(async agent => threadOf(await askOn(agent, `${url}/healthz`))))
    const spent = await askOn(new Agent(), url + PROJECTS)
    assert.equal(spent.status, 200)
    const [ending] = threads
    if (ending) end(ending)
    await until(() => lines.some(({ level }) => level === 'error'))
    const again = await Promise.all(agents.map(agent => askOn(agent, `${url}/healthz`).then(threadOf, () => 'broken')))
    assert.equal(names.filter(name => again.includes(name)).length, 1)
    assert.equal((await askOn(new Agent(), `${url}/healthz`)).status, 200)
    await until(() => threads.length === 3)
    await until(async () => new Set((await burst(`${url}/healthz`, 12, 1)).flat().map(threadOf)).size === 2)
    const told = lines.filter(({ level }) => level === 'error')
    const message = 'a thread of the service has ended, its connections are lost, and another takes its place'
    assert.deepEqual(
      told.map(line => [line.message, line.thread]),
      [[message, 1]],
    )
    const replies = await askBoth(url, url + PROJECTS, 150)
    assert.equal(new Set(replies.map(threadOf)).size, 2)
    assert.equal(replies.filter(({ status }) => status === 200).length, 199)
  })

test('metrics and readiness are those of all threads, whichever is asked', async t => {
  const { url, threads } = await threaded(t)
  const agents = await agentsOfBoth(url)
  await burst(url + PROJECTS, 20, 5)
  const counted = async (agent: Agent) => {
    const { text } = await askOn(agent, `${url}/metrics`)
    const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
    const of = (name: string) =>
      Number(new RegExp(`^${name}\\{.*operation="listProjects",status="200"\\} (\\S+)$`, 'm').exec(text)?.[1])
    return [
      value('housestyle_connections'),
      value('housestyle_cache_limit_bytes'),
      of('housestyle_request_duration_seconds_count'),
    ]
  }
  const all = await Promise.all(agents.map(counted))
  assert.deepEqual(all, [
    [2, 62 << 20, 100],
    [2, 62 << 20, 100],
  ])
  for (const agent of agents) assert.equal((await askOn(agent, `${url}/readyz`)).text, 'ready\n')
  void threads[0]?.terminate()
  await until(() => threads.length === 3)
  await until(async () => (await counted(new Agent()))[2] === 100)
})

test('the first thread knows how large the heaps of those that answer are', async t => {
  const { largestHeap } = await threaded(t)
  await until(() => (largestHeap?.() ?? 0) > 1 << 20)
})

test('one address has as many connections as it may, over all threads', async t => {
  const { url } = await threaded(t, { maxConnectionsPerAddress: '14' })
  const more = Array.from({ length: 12 }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
  const agents = [...(await agentsOfBoth(url)), ...more]
  await sleep(500) // Until others that looked for the threads are closed.
  const replies = await Promise.all(agents.map(agent => askOn(agent, url + PROJECTS)))
  assert.deepEqual(
    replies.map(({ status }) => status),
    Array(14).fill(200),
  )
  assert.equal(new Set(replies.map(threadOf)).size, 2)
  for (let time = 0; time < 4; time++) assert.equal((await askOn(new Agent(), url + PROJECTS)).status, 503)
  agents[0]?.destroy()
  await sleep(2500) // Those that were refused count until they are closed.
  assert.equal((await askOn(new Agent(), url + PROJECTS)).status, 200)
  for (const agent of agents) agent.destroy()
})

test('failed logins of an address are counted over all threads', async t => {
  const { url } = await threaded(t)
  const [first, second] = await agentsOfBoth(url)
  const login = { grant_type: 'client_credentials', client_id: 'nobody', client_secret: 'wrong' }
  const body = new URLSearchParams(login).toString()
  const fail = async (agent = new Agent()) => {
    return (await askOn(agent, `${url}/oauth/token`, { method: 'POST', body })).status
  }
  const statuses: number[] = []
  for (let time = 0; time < 12; time++) statuses.push(await fail(first), await fail(second))
  assert.deepEqual(statuses, [...Array(20).fill(401), ...Array(4).fill(429)])
})

test('all threads together have as many connections as there may be, and others wait until one ends', async t => {
  const { url } = await threaded(t, { maxConnections: '5' })
  const agents = Array.from({ length: 5 }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
  const first = await Promise.all(agents.map(agent => askOn(agent, `${url}/healthz`)))
  assert.deepEqual(new Set(first.map(({ status }) => status)), new Set([200]))
  const replies = (await burst(url + PROJECTS, 40, 3)).flat()
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]))
  for (const agent of agents) agent.destroy()
})
