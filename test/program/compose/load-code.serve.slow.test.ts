import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { cp, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import test, { after } from 'node:test'
import { builtProgram } from '../../support/built-program.ts'
import { type Running, serveIn, serveWith } from '../../support/command.ts'
import { requestText } from '../../support/socket.ts'
import { publishedStore, resultOf, SMALL_BRAND } from '../../support/temporary-store.ts'
import { until } from '../../support/until.ts'

const { data, folder, issue } = await publishedStore('acme/guidelines', SMALL_BRAND)
const bearer = `Authorization: Bearer ${(await issue('acme')).token}`
const client = await resultOf(folder, ['client', 'create', 'acme'])
const form = `grant_type=client_credentials&client_id=${client.client_id}&client_secret=${client.client_secret}`
const call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_projects","arguments":{}}}'
const GUIDE = '/acme/guidelines'
const HTML = 'Accept: text/html'

const AGENT = post('/mcp', 'application/json', call, [bearer])
/** Requests that need no child process: the request, and the status. */
const REQUESTS: readonly (readonly [request: string, status: number])[] = [
  [requestText('GET /metrics'), 200],
  [requestText('GET /', [HTML]), 200],
  [requestText('GET /acme/none', [HTML]), 404],
  [requestText(`GET ${GUIDE}/-/colors`, [HTML]), 200],
  [requestText(`GET ${GUIDE}/-/type`, [HTML]), 200],
  [requestText(`GET ${GUIDE}/-/files`, [HTML]), 200],
  [requestText(`GET ${GUIDE}/-/exports/tokens.css`), 200],
  [requestText(`GET ${GUIDE}/-/exports/tokens.json`), 200],
  [requestText('GET /beta/workspace/acme', [bearer]), 200],
  [requestText('GET /docs'), 200],
  [requestText('GET /openapi.json'), 200],
  [requestText('GET /schemas/colors.json'), 200],
  [post('/oauth/token', 'application/x-www-form-urlencoded', form), 200],
  [AGENT, 200],
]

/** A request that needs a child process, and one that does until the index is prepared, soon after the first reply. */
const RENDERED = requestText(`GET ${GUIDE}`, [HTML])
const SEARCH = requestText(`GET ${GUIDE}/-/search?q=blue`, [HTML])

function post(path: string, type: string, body: string, fields: readonly string[] = []): string {
  return requestText(`POST ${path}`, [...fields, `Content-Type: ${type}`, `Content-Length: ${body.length}`], body)
}

async function open({ url }: Running): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined)
  await Promise.race([once(socket, 'connect'), once(socket, 'close')]).catch(() => undefined)
  return socket
}

/** The status of the reply on the first connection that the service accepted, which stays open; 0 if there is none. */
async function statusOnAny(sockets: Socket[], request: string): Promise<number> {
  for (let socket = sockets.shift(); socket; socket = sockets.shift()) {
    const found = await statusOn(socket, request)
    if (found !== 0) return found
  }
  return 0
}

/** The status of the reply to a request on a connection, which stays open; 0 if it was closed or reset. */
async function statusOn(socket: Socket, request: string): Promise<number> {
  if (socket.destroyed) return 0
  socket.write(request.replace('brand.test', `127.0.0.1:${socket.remotePort}`), 'latin1')
  const [bytes = ''] = await Promise.race([once(socket, 'data'), once(socket, 'close')]).catch(() => [])
  return Number(/^HTTP\/1\.1 (\d{3}) /.exec(bytes.toString('latin1'))?.[1] ?? 0)
}

async function status(running: Running, request: string): Promise<number> {
  const socket = await open(running)
  const found = await statusOn(socket, request)
  socket.destroy()
  return found
}

async function assertAnswersAll(running: Running): Promise<void> {
  for (const [request, expected] of REQUESTS) assert.equal(await status(running, request), expected, request)
}

/** Resolves once all code is loaded, also that of agents, which their first request loads. */
async function untilLoaded(running: Running): Promise<void> {
  await until(() => running.logged().includes('the code of all requests is loaded'))
  assert.equal(await status(running, AGENT), 200)
}

function untilAskedToRestart({ logged }: Running): Promise<void> {
  return until(() => /"the installed package was replaced.*restart the service"/.test(logged()))
}

/** Ends the processes that the service has started early for its first page. */
async function endProcesses({ pid, url }: Running): Promise<void> {
  const idle = async () =>
    (await (await fetch(`${url}/metrics`)).text()).match(/worker_processes{[^}]*idle[^}]*} [1-9]/g)
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1')
  for (const child of children.split(' ').filter(Boolean)) process.kill(Number(child), 'SIGKILL')
  await until(async () => (await idle()) === null)
}

/** A copy of the built program, which a test may change. */
async function ownProgram() {
  const built = dirname(dirname(builtProgram()))
  const own = await mkdtemp(`${built}-`)
  after(() => rm(own, { recursive: true, force: true }))
  await cp(built, own, { recursive: true })
  return { own, bin: join(own, 'bin/housestyle.js') }
}

for (const isLoaded of [true, false])
  test(`with all descriptors in use ${isLoaded ? 'later' : 'from the start'}, no request ends the service or gets 500, and then every address answers`, async t => {
    const running = await serveWith('ulimit -n 64', builtProgram(), '--data', data)
    t.after(running.stop)
    if (isLoaded) await untilLoaded(running)
    await endProcesses(running)
    const held = await Promise.all(Array.from({ length: 70 }, () => open(running)))
    await until(() => held.some(socket => socket.destroyed))
    const usable = held.filter(socket => !socket.destroyed)
    for (const [request, expected] of [...REQUESTS, [RENDERED, 503], [SEARCH, 200]] as const) {
      const found = await statusOnAny(usable, request)
      const mayLack = !isLoaded || request === SEARCH
      assert.ok(found === expected || (found === 503 && mayLack), `${found} ${request}`)
    }
    for (const socket of held) socket.destroy()
    await until(async () => (await status(running, requestText('GET /healthz'))) === 200)
    await untilLoaded(running)
    await assertAnswersAll(running)
    for (const request of [RENDERED, SEARCH]) await until(async () => (await status(running, request)) === 200)
  })

test('a service whose package was removed answers from memory, refuses pages that it has not rendered, and asks for a restart', async t => {
  const { own, bin } = await ownProgram()
  const running = await serveIn({ HOUSESTYLE_LOG: 'debug' }, bin, '--data', data)
  t.after(running.stop)
  await untilLoaded(running)
  await endProcesses(running)
  await rename(own, `${own}-moved`)
  t.after(() => rm(`${own}-moved`, { recursive: true, force: true }))
  await assertAnswersAll(running)
  assert.equal(await status(running, RENDERED), 503)
  await untilAskedToRestart(running)
})

test('a renderer of another version is not started', async t => {
  const { own, bin } = await ownProgram()
  const running = await serveIn({ HOUSESTYLE_LOG: 'debug' }, bin, '--data', data)
  t.after(running.stop)
  await untilLoaded(running)
  await endProcesses(running)
  const other = `process.on('message', () => process.send({ ok: true, value: { html: 'other', headings: [] } }))`
  await writeFile(join(own, 'dist/site/markdown/markdown-process.js'), other)
  assert.equal(await status(running, requestText(`GET ${GUIDE}`, [HTML])), 503)
  await untilAskedToRestart(running)
})
