import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { Agent } from 'node:http'
import { connect, type Socket } from 'node:net'
import test, { after, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { MAIN } from '../program/cli/housestyle.ts'
import { serve } from '../support/command.ts'
import { type Message, type OpenStream, openStream } from '../support/event-stream.ts'
import { startFleet } from '../support/fleet.ts'
import { startNginx } from '../support/nginx.ts'
import { needs } from '../support/programs.ts'
import { ask, keepAsking, type Sample, watchNodes } from '../support/requests.ts'
import { publishedStore, resultOf } from '../support/temporary-store.ts'
import { until } from '../support/until.ts'

const CLIENTS = 4
/** nginx gives up a node after 2 to 4 seconds; a request that waits for the hung one itself takes this long. */
const HUNG_MS = 12_000
const NEEDS_NGINX = needs('nginx')
/** Both tests share the nodes. */
const place = NEEDS_NGINX.skip ? undefined : await startNodes()

/** A store with a public and a private guide, three nodes that have answered each request before, and nginx. */
async function startNodes() {
  const temporary = await publishedStore(['acme/open', 'acme/closed'], {
    'open/project.yaml': 'visibility: public\n',
    'open/pages/index.md': '# Open\n',
    'open/files/notes.txt': 'Notes\n',
    'closed/files/plan.txt': 'Plan\n',
  })
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

test('while one of three nodes hangs, nginx answers every ordinary request from another node', NEEDS_NGINX, async t => {
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

test('a request that all nodes were slow to answer reaches another node, although one hangs', NEEDS_NGINX, async () => {
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

/* Four processes on one Postgres and one bucket, as in deploy/compose.nodes.yaml, behind its nginx. */

const NEEDS_FLEET = needs('postgres', 'nginx', 'swift-proxy-server')
const PROJECT = '/beta/workspace/acme/project/guidelines'

test('four nodes behind nginx give the same replies, follow changes, and lose no request', NEEDS_FLEET, async t => {
  const { run, urls, front, publish, relay, deafen, end, start } = await startFleet()
  const token = (await run('token', 'issue', 'acme')).trim()
  const client = JSON.parse(await run('client', 'create', 'acme', '--json'))

  await t.test('nodes that started before and after a publication give the same bytes for every address', async () => {
    const [first, last] = await Promise.all([urls.at(0), urls.at(-1)].map(url => everyReply(`${url}`, token)))
    assert.ok(Object.values(first ?? {}).filter(said => said.startsWith('200')).length > 20)
    assert.deepEqual(last, first)
  })

  const load = startLoad(front, token, client)
  const openStreams = (last?: string) =>
    Promise.all([...urls, front].map(url => openStream(`${url}/events/workspace/acme`, token, last)))
  const streams = await openStreams()

  const project = (url: string, agent: Agent) =>
    ask(url + PROJECT, { headers: bearer(token), agent }).then(
      ({ status, headers }) => `${status} ${Number.parseInt(String(headers['housestyle-revision']), 10)}`,
    )
  const follows = async (t: TestContext, question: typeof project, act: () => Promise<unknown>, said: string) => {
    const watch = watchNodes(urls, question)
    let done: number
    try {
      await act()
      done = performance.now()
      await until(() => [...watch.samples.values()].every(samples => samples.at(-1)?.said === said))
      const followed = performance.now()
      await until(() => [...watch.samples.values()].every(samples => lastAsked(samples) >= followed + 500))
    } finally {
      await watch.stop()
    }
    for (const samples of watch.samples.values()) {
      const since = samples.slice(samples.findIndex(({ said: was }) => was === said))
      assert.deepEqual(new Set(since.map(({ said: was }) => was)), new Set([said]))
    }
    const old = [...watch.samples.values()].flat().filter(({ said: was }) => was !== said)
    t.diagnostic(
      `the last older answer was asked for ${Math.round(lastAsked(old.toSorted((one, other) => one.asked - other.asked)) - done)} ms after the command was done`,
    )
  }

  await t.test('soon after a publication, each node serves it, and never an older revision again', t =>
    follows(t, project, () => publish(2), '200 2'),
  )

  await t.test('nodes follow a publication even if their notification connections end at that moment', async t => {
    let ended = 0
    relay.onSent(async piece => {
      if (piece.includes(NOTIFY)) ended += await deafen()
      return piece
    })
    await follows(t, project, () => publish(3), '200 3')
    assert.ok(ended >= 4)
  })

  await t.test('nodes follow a publication without a notification', async t => {
    let lost = 0
    relay.onSent(piece => {
      const at = piece.indexOf(NOTIFY)
      if (at === -1) return piece
      lost++
      return Buffer.concat([piece.subarray(0, at), Buffer.from(NOTHING), piece.subarray(at + NOTIFY.length)])
    })
    await follows(t, project, () => publish(4), '200 4')
    assert.ok(lost > 0)
    relay.onSent()
  })

  await t.test('the event streams of each node, and through nginx, have every publication once, in order', async () => {
    const all = await Promise.all(streams.map(stream => messages(stream, 4)))
    assert.deepEqual(
      all[0]?.map(({ event, data }) => [event, data?.revision]),
      [
        ['state', undefined],
        ['published', 2],
        ['published', 3],
        ['published', 4],
      ],
    )
    const [, second, ...later] = all[0] ?? []
    for (const received of all) assert.deepEqual(received.slice(1), [second, ...later])
    const resumed = await openStreams(second?.id)
    for (const stream of resumed) assert.deepEqual(await messages(stream, 2), later)
    for (const { close } of [...streams, ...resumed]) await close()
  })

  await t.test(
    'tokens are rejected soon after they are revoked or their client is deleted, and never accepted again',
    async t => {
      const issued = JSON.parse(await run('token', 'issue', 'acme', '--json'))
      const { client_id, client_secret } = JSON.parse(await run('client', 'create', 'acme', '--json'))
      const asClient = { method: 'POST', headers: FORM }
      const body = `grant_type=client_credentials&client_id=${client_id}&client_secret=${client_secret}`
      const ofClient = JSON.parse((await ask(`${urls[0]}/oauth/token`, asClient, body)).text).access_token
      const statusWith = (token: string) => async (url: string, agent: Agent) =>
        String((await ask(url + PROJECT, { headers: bearer(token), agent })).status)
      await follows(t, statusWith(issued.token), () => run('token', 'revoke', issued.jti), '401')
      await follows(t, statusWith(ofClient), () => run('client', 'delete', client_id), '401')
      for (const url of urls) assert.equal((await ask(`${url}/oauth/token`, asClient, body)).status, 401)
    },
  )

  await t.test('soon after it is unpublished, a project does not exist, and does not return', async t => {
    const page = async (url: string, agent: Agent) => String((await ask(`${url}/aaa/guide`, { agent })).status)
    await follows(t, page, () => run('unpublish', 'aaa/guide'), '404')
  })

  await t.test('nodes that restart one after the other, or are killed, lose no request through nginx', async t => {
    for (const at of [0, 1]) {
      assert.equal(await end(at, 'SIGTERM'), 0)
      await start(at)
    }
    await end(2, 'SIGKILL')
    const before = load.outcomes.length
    await until(() => load.outcomes.length >= before + 50)
    const outcomes = await load.stop()
    const byOutcome = Object.entries(Object.groupBy(outcomes, outcome => outcome))
    t.diagnostic(`requests since the start: ${JSON.stringify(byOutcome.map(([key, all]) => [key, all?.length]))}`)
    const seen = byOutcome.map(([outcome]) => outcome)
    assert.deepEqual(seen, ['200'])
  })
})

/** The next messages of a stream. */
async function messages(stream: OpenStream, count: number): Promise<Message[]> {
  const received: Message[] = []
  while (received.length < count) received.push(await stream.next())
  return received
}

function lastAsked(samples: readonly Sample[]): number {
  return samples.at(-1)?.asked ?? 0
}

const NOTIFY = "pg_notify('housestyle'"
/** A channel without listeners, of the same length, because Postgres messages begin with their length. */
const NOTHING = "pg_notify('otherwhere'"
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

function bearer(token: string) {
  return { authorization: `Bearer ${token}` }
}

/** A node's replies at all addresses of the two guides that it links to. */
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
    const reply = await fetch(url + path, { headers: path.startsWith('/beta') ? bearer(token) : {} })
    const bytes = new Uint8Array(await reply.arrayBuffer())
    found[path] = `${reply.status} ${reply.headers.get('etag')} ${createHash('sha256').update(bytes).digest('hex')}`
    for (const [, link = ''] of new TextDecoder().decode(bytes).matchAll(/(?:href|src)="(\/(?:acme|aaa)[^"#?]*)["#?]/g))
      waiting.push(link)
  }
  return found
}

type Client = { client_id: string; client_secret: string }

/** Clients that request pages, API replies and tokens, until they are stopped. */
function startLoad(front: string, token: string, { client_id, client_secret }: Client) {
  const outcomes: (number | string)[] = []
  const kept = new Agent({ keepAlive: true })
  const noting = (options: () => object, path: string, body?: string) =>
    keepAsking(async () => {
      const outcome = await ask(front + path, options(), body).then(
        ({ status }) => status,
        error => `lost: ${error.code ?? error.message}`,
      )
      outcomes.push(outcome)
    }, 300)
  const paths = [`${PROJECT}/styles`, '/acme/guidelines', `${PROJECT}/pages`, '/acme/guidelines/-/files']
  const clients = [kept, false].flatMap(agent =>
    paths.map(path => noting(() => ({ headers: bearer(token), agent }), path)),
  )
  // nginx allows one token request per second for each address.
  let address = 0
  const fromAnother = () => ({ method: 'POST', headers: FORM, localAddress: `127.0.1.${(address++ % 250) + 1}` })
  const body = `grant_type=client_credentials&client_id=${client_id}&client_secret=${client_secret}`
  clients.push(noting(fromAnother, '/oauth/token', body))
  const stop = async () => {
    await Promise.all(clients.map(client => client.stop()))
    kept.destroy()
    return outcomes
  }
  return { outcomes, stop }
}

const EACH = 200
/** Less than the number of slow clients. */
const MAX_CONNECTIONS = '100'

/** Opens connections that send bytes and never read. */
async function openStalled(port: number, bytes: string): Promise<Socket[]> {
  const sockets = Array.from({ length: EACH }, () => connect(port, '127.0.0.1'))
  for (const socket of sockets) socket.on('error', () => undefined).pause()
  await Promise.all(sockets.map(socket => once(socket, 'connect')))
  for (const socket of sockets) socket.write(bytes)
  return sockets
}

test('behind nginx, hundreds of slow clients do not keep others out', needs('nginx'), async t => {
  const temporary = await publishedStore('acme/open', {
    'open/project.yaml': 'visibility: public\n',
    'open/pages/index.md': '# Open\n',
    'open/files/film.bin': new Uint8Array(16 << 20),
  })
  const { token } = await temporary.issue('acme')
  const options = ['--data', temporary.data, '--log', 'silent', '--rate', 'off', '--trusted-proxies', '127.0.0.1']
  const node = await serve(MAIN, ...options, '--max-connections', MAX_CONNECTIONS)
  t.after(node.stop)
  // So that slow clients stay, however long the others need on a busy machine.
  const nginx = await startNginx([Number(new URL(node.url).port)], shipped =>
    shipped.replace(/((?:client_header|client_body|send)_timeout) \d+s/g, '$1 1h'),
  )
  t.after(nginx.stop)
  const front = `http://127.0.0.1:${nginx.port}`
  const api = `${front}/beta/workspace/acme/project/open`
  const headers = { authorization: `Bearer ${token}` }
  const { files } = JSON.parse((await ask(`${api}/files`, { headers })).text)
  const film = new URL(files[0].url).pathname
  assert.equal((await ask(front + film)).status, 200) // Fills nginx's cache.

  const slow = [
    ...(await openStalled(nginx.port, 'GET /acme/open HTTP/1.1\r\nHost: brand.test\r\nX: ')),
    ...(await openStalled(
      nginx.port,
      'POST /oauth/token HTTP/1.1\r\nHost: brand.test\r\nContent-Length: 1000\r\n\r\na',
    )),
    ...(await openStalled(nginx.port, `GET ${film} HTTP/1.1\r\nHost: brand.test\r\n\r\n`)),
  ]
  t.after(() => {
    for (const socket of slow) socket.destroy()
  })
  for (let round = 0; round < 20; round++) {
    await until(async () => (await ask(`${api}/pages`, { headers })).status === 200)
    await until(async () => (await ask(`${front}/acme/open`)).status === 200)
    await until(async () => (await ask(front + film, { headers: { range: 'bytes=0-9' } })).status === 206)
  }
})
