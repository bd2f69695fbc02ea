import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import test, { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { MAIN } from '../program/cli/housestyle.ts'
import { serve } from '../support/command.ts'
import { startNginx } from '../support/nginx.ts'
import { needs } from '../support/programs.ts'
import { ask, keepAsking } from '../support/requests.ts'
import { resultOf } from '../support/run-command.ts'
import { temporaryStore } from '../support/temporary-store.ts'

const CLIENTS = 4
/** nginx gives up a node after 2 to 4 seconds; a request that waits for the hung one itself takes this long. */
const HUNG_MS = 12_000
const { skip } = needs('nginx')
/** Both tests share the nodes. */
const place = skip ? undefined : await startNodes()

/** A store with a public and a private guide, three nodes that have answered each request before, and nginx. */
async function startNodes() {
  const temporary = await temporaryStore()
  await temporary.importing('acme', {
    'open/project.yaml': 'visibility: public\n',
    'open/pages/index.md': '# Open\n',
    'open/files/notes.txt': 'Notes\n',
    'closed/files/plan.txt': 'Plan\n',
  })
  for (const project of ['acme/open', 'acme/closed']) await temporary.publish(project)
  const client = await resultOf(temporary.folder, ['client', 'create', 'acme'])
  const options = ['--data', temporary.data, '--log', 'silent', '--rate', 'off', '--trusted-proxies', '127.0.0.1']
  const nodes = await Promise.all([1, 2, 3].map(() => serve(MAIN, ...options)))
  after(() => Promise.all(nodes.map(({ stop }) => stop())))
  const nginx = await startNginx(nodes.map(({ url }) => Number(new URL(url).port)))
  after(nginx.stop)
  const { token } = await temporary.issue('acme')
  const agent = new Agent()
  for (const { url } of nodes)
    for (const request of Object.values(await ordinaryRequests(url, token))) assert.equal(await request(agent), 200)
  return { nodes, front: `http://127.0.0.1:${nginx.port}`, token, client }
}

/** Requests of each ordinary kind, keyed by name. */
async function ordinaryRequests(
  front: string,
  token: string,
): Promise<Record<string, (agent: Agent) => Promise<number>>> {
  const headers = { authorization: `Bearer ${token}` }
  const api = (project: string) => `${front}/beta/workspace/acme/project/${project}`
  const fileOf = async (project: string) => {
    const { files } = JSON.parse((await ask(`${api(project)}/files`, { headers })).text)
    return front + new URL(files[0].url).pathname
  }
  const [kept, fetched] = [await fileOf('open'), await fileOf('closed')]
  const statusOf = async (url: string, options: object) => (await ask(url, options)).status
  return {
    api: agent => statusOf(`${api('open')}/pages`, { agent, headers }),
    page: agent => statusOf(`${front}/acme/open`, { agent }),
    export: agent => statusOf(`${front}/acme/open/-/exports/DESIGN.md`, { agent }),
    'public file': agent => statusOf(kept, { agent }),
    'private file': agent => statusOf(fetched, { agent }),
  }
}

test('while one of three nodes hangs, nginx answers every ordinary request from another node', { skip }, async t => {
  assert.ok(place)
  const { nodes, front, token, client } = place
  const requests = Object.entries(await ordinaryRequests(front, token))
  const samples: { name: string; status: number; tookMs: number }[] = []
  const timed = async (name: string, request: () => Promise<number>) => {
    const began = performance.now()
    const status = await request()
    samples.push({ name, status, tookMs: performance.now() - began })
  }
  const askers = Array.from({ length: CLIENTS }, () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    t.after(() => agent.destroy())
    const all = async () => {
      for (const [name, request] of requests) await timed(name, () => request(agent))
    }
    return keepAsking(all, 150)
  })
  const { client_id, client_secret } = client
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }).toString()
  const posting = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } }
  const post = async () => (await ask(`${front}/oauth/token`, posting, form)).status
  askers.push(keepAsking(() => timed('token', post), 1000))
  await sleep(1000)
  process.kill(nodes[0]?.pid ?? 0, 'SIGSTOP')
  await sleep(HUNG_MS)
  process.kill(nodes[0]?.pid ?? 0, 'SIGCONT')
  await Promise.all(askers.map(({ stop }) => stop()))
  const slowest = samples.toSorted((one, other) => other.tookMs - one.tookMs)[0]
  t.diagnostic(`${samples.length} requests; the slowest (${slowest?.name}) took ${Math.round(slowest?.tookMs ?? 0)} ms`)
  const unexpected = samples.filter(({ status, tookMs }) => status !== 200 || tookMs >= HUNG_MS)
  assert.deepEqual(unexpected, [])
  for (const [name] of requests) assert.ok(samples.filter(sample => sample.name === name).length > CLIENTS)
})

test('a request that all nodes were slow to answer reaches another node, although one of them hangs', {
  skip,
}, async () => {
  assert.ok(place)
  const { nodes, front } = place
  const signal = (name: NodeJS.Signals, some: typeof nodes) => {
    for (const { pid } of some) process.kill(pid, name)
  }
  signal('SIGSTOP', nodes)
  const asked = Array.from({ length: 12 }, () => ask(`${front}/acme/open`))
  await sleep(6000)
  signal('SIGCONT', nodes.slice(1))
  const statuses = (await Promise.all(asked)).map(({ status }) => status)
  signal('SIGCONT', nodes.slice(0, 1))
  assert.deepEqual(new Set(statuses), new Set([200]))
})
