import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import test, { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { writeFolder } from '../support/brand-folder.ts'
import { command, type Running, serve } from '../support/command.ts'
import { freePort } from '../support/free-port.ts'
import { startNginx } from '../support/nginx.ts'
import { startPostgres } from '../support/postgres.ts'
import { needs } from '../support/programs.ts'
import { startRedis } from '../support/redis.ts'
import { SMALL_BRAND } from '../support/small-brand.ts'
import { temporaryFolder } from '../support/temporary.ts'

/* Four processes on one Postgres, one data folder and one Redis, as in deploy/compose.yaml, behind its nginx. */

const bin = fileURLToPath(new URL('../../bin/housestyle.js', import.meta.url))
const PROJECT = '/beta/workspace/acme/project/guidelines'

test(
  'four nodes behind nginx answer alike, show what is published within a second, share one limit, and are restarted one after the other without losing a request',
  needs('postgres', 'redis-server', 'nginx'),
  async t => {
    const fleet = await startFleet()
    const { run, urls, front } = fleet
    const token = (await run('token', 'issue', 'acme')).trim()
    const client = JSON.parse(await run('client', 'create', 'acme', '--json'))

    const [first, ...others] = await Promise.all(urls.map(url => everyReply(url, token)))
    assert.ok(Object.values(first ?? {}).filter(said => said.startsWith('200')).length > 20)
    for (const other of others) assert.deepEqual(other, first)

    const load = startLoad(front, token, client)
    for (let revision = 2; revision <= 4; revision++) {
      await fleet.publish(revision)
      const began = performance.now()
      await Promise.all(urls.map(url => isAt(url, token, revision)))
      t.diagnostic(`revision ${revision} was seen by all ${Math.round(performance.now() - began)} ms after publish`)
      await sleep(Math.max(0, 1000 - (performance.now() - began)))
      const seen = await Promise.all(urls.map(url => revisionOf(url, token)))
      assert.deepEqual(seen, [revision, revision, revision, revision])
    }
    const before = load.outcomes.length
    for (const at of urls.keys()) assert.equal(await fleet.restart(at, 'off'), 0)
    assert.ok(load.outcomes.length > before)
    const outcomes = await load.stop()
    const byOutcome = Object.groupBy(outcomes, outcome => outcome)
    t.diagnostic(
      `${outcomes.length} requests: ${JSON.stringify(Object.entries(byOutcome).map(([key, all]) => [key, all?.length]))}`,
    )
    assert.deepEqual(Object.keys(byOutcome), ['200'])

    await Promise.all(urls.keys().map(at => fleet.restart(at, '40/600')))
    const asked = await Promise.all(Array.from({ length: 100 }, () => status(`${front}${PROJECT}`, token)))
    assert.equal(asked.filter(status => status === 200).length, 40)
    assert.equal(asked.filter(status => status === 429).length, 60)
  },
)

/** Two workspaces, one of which was published when two of the nodes had been started. */
async function startFleet() {
  const stops: (() => Promise<unknown>)[] = []
  after(async () => {
    for (const stop of stops.reverse()) await stop()
  })
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()])
  stops.push(postgres.stop, redis.stop)
  const folder = await temporaryFolder()
  const store = ['--database', await postgres.newDatabase(), '--data', join(folder, 'shared')]
  const publicUrl = ['--public-url', 'http://brand.test']
  const run = (...args: string[]) => command(bin, ...args, ...store, ...(args[0] === 'token' ? publicUrl : []))
  const publish = async (revision: number) => {
    await writeFolder(join(folder, 'acme'), {
      ...SMALL_BRAND,
      'guidelines/pages/revision.md': `# Revision ${revision}\n`,
    })
    await run('import', join(folder, 'acme'))
    await run('publish', 'acme/guidelines')
  }
  await publish(1)
  const ports = [await freePort(), await freePort(), await freePort(), await freePort()]
  const start = (at: number, rate: string) =>
    serve(
      bin,
      ...store,
      ...publicUrl,
      '--limits',
      redis.url,
      '--trusted-proxies',
      '127.0.0.1',
      '--rate',
      rate,
      '--port',
      `${ports[at]}`,
    )
  const nodes: Running[] = []
  for (const at of ports.keys()) {
    if (at === 2) {
      await writeFolder(join(folder, 'aaa'), { 'guide/project.yaml': 'name: First by name\nvisibility: public\n' })
      await run('import', join(folder, 'aaa'))
      await run('publish', 'aaa/guide')
    }
    nodes.push(await start(at, 'off'))
    stops.push(async () => nodes[at]?.stop())
  }
  const nginx = await startNginx(ports)
  stops.push(nginx.stop)
  const restart = async (at: number, rate: string) => {
    const code = await nodes[at]?.stop()
    nodes[at] = await start(at, rate)
    return code
  }
  const urls = ports.map(port => `http://127.0.0.1:${port}`)
  return { run, publish, urls, restart, front: `http://127.0.0.1:${nginx.port}` }
}

/** What a node replies at each address of the two guides that it names itself. */
async function everyReply(url: string, token: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  const waiting = ['/', '/sitemap.xml', '/acme/guidelines', '/acme/guidelines/-/files', '/acme/guidelines/-/changes']
  waiting.push(
    '/beta/workspace/acme/projects',
    PROJECT,
    ...['styles', 'pages', 'files'].map(name => `${PROJECT}/${name}`),
  )
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (found[path]) continue
    const reply = await fetch(url + path, {
      headers: path.startsWith('/beta') ? { authorization: `Bearer ${token}` } : {},
    })
    const bytes = new Uint8Array(await reply.arrayBuffer())
    found[path] = `${reply.status} ${reply.headers.get('etag')} ${createHash('sha256').update(bytes).digest('hex')}`
    for (const [, link = ''] of new TextDecoder().decode(bytes).matchAll(/(?:href|src)="(\/(?:acme|aaa)[^"#?]*)["#?]/g))
      waiting.push(link)
  }
  return found
}

async function isAt(url: string, token: string, revision: number): Promise<void> {
  while ((await revisionOf(url, token)) !== revision) await sleep(10)
}

async function revisionOf(url: string, token: string): Promise<number> {
  const reply = await fetch(url + PROJECT, { headers: { authorization: `Bearer ${token}` } })
  await reply.arrayBuffer()
  return Number.parseInt(reply.headers.get('housestyle-revision') ?? '', 10)
}

async function status(url: string, token: string): Promise<number> {
  const reply = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  await reply.arrayBuffer()
  return reply.status
}

type Client = { client_id: string; client_secret: string }

/** Clients that ask for pages, API replies and tokens, a few milliseconds after each reply, until they are told to stop. */
function startLoad(front: string, token: string, { client_id, client_secret }: Client) {
  const outcomes: (number | string)[] = []
  let isStopping = false
  const bearer = { authorization: `Bearer ${token}` }
  const body = `grant_type=client_credentials&client_id=${client_id}&client_secret=${client_secret}`
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const asking = async (next: () => Promise<number>) => {
    for (; !isStopping; await sleep(5)) {
      outcomes.push(await next().catch(error => `lost: ${error.code ?? error.message}`))
    }
  }
  const kept = new Agent({ keepAlive: true })
  const paths = [`${PROJECT}/styles`, '/acme/guidelines', `${PROJECT}/pages`, '/acme/guidelines/-/files']
  const clients = paths.flatMap(path => [
    asking(() => ask(front + path, { headers: bearer, agent: kept })),
    asking(() => ask(front + path, { headers: bearer, agent: false })),
  ])
  // nginx allows an address a token a second.
  let address = 0
  const localAddress = () => `127.0.1.${(address++ % 250) + 1}`
  clients.push(
    asking(() => ask(`${front}/oauth/token`, { method: 'POST', headers: form, localAddress: localAddress() }, body)),
  )
  const stop = async () => {
    isStopping = true
    await Promise.all(clients)
    kept.destroy()
    return outcomes
  }
  return { outcomes, stop }
}

function ask(url: string, options: object, body?: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, options, reply => {
      reply.on('error', reject)
      reply.on('end', () => resolve(reply.statusCode ?? 0))
      reply.resume()
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
