import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ListenOptions, listen } from '#program/http/server.ts'
import { askUntilRefused } from '../../support/client.ts'
import { runningService, silent } from '../../support/service.ts'
import { exchange, requestText } from '../../support/socket.ts'
import { publishedStore, SMALL_BRAND } from '../../support/temporary-store.ts'
import { until } from '../../support/until.ts'

const MEBIBYTE = 1 << 20
const temporary = await publishedStore('acme/guidelines', {
  ...SMALL_BRAND,
  'guidelines/files/large.bin': new Uint8Array(32 * MEBIBYTE),
})
const { token } = await temporary.issue('acme')
const bearer = `Authorization: Bearer ${token}`
const project = '/beta/workspace/acme/project/guidelines'

test('a stopping service loses no request of clients that keep using their connections', async () => {
  const { port, stop } = await runningService(temporary)
  const paths = ['', '/pages', '/page/index', '/styles', '/files', '/page/nothing']
  const clients = [...paths, ...paths].map(path => askUntilRefused(port, `GET ${project}${path}`, [bearer]))
  await until(() => clients.every(({ outcomes }) => outcomes.length > 0))
  await stop()
  for (const { outcomes, ended } of clients) {
    await ended
    assert.equal(outcomes.at(-1), 'refused')
    for (const outcome of outcomes.slice(0, -1)) assert.ok(outcome === 200 || outcome === 404, `${outcome}`)
  }
})

test('a stopping service loses no message of agents that keep using their connections', async () => {
  const { port, stop } = await runningService(temporary)
  const call = { name: 'search', arguments: { query: 'colour' } }
  const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call })
  const fields = [bearer, 'Content-Type: application/json', `Content-Length: ${message.length}`]
  const clients = ['/mcp', '/acme/guidelines/-/mcp', '/mcp', '/acme/guidelines/-/mcp'].map(path =>
    askUntilRefused(port, `POST ${path}`, fields, message),
  )
  await until(() => clients.every(({ outcomes }) => outcomes.length > 0))
  await stop()
  for (const { outcomes, ended } of clients) {
    await ended
    assert.equal(outcomes.at(-1), 'refused')
    assert.deepEqual([...new Set(outcomes.slice(0, -1))], [200])
  }
})

test('a stopping service completes downloads, and answers all requests that arrived together', async () => {
  const { port, url, stop } = await runningService(temporary)
  const [list] = await exchange(port, requestText(`GET ${project}/files`, [bearer]))
  const files: { filename: string; url: string }[] = JSON.parse(list?.body ?? '').files
  const large = files.find(({ filename }) => filename === 'large.bin')?.url ?? ''
  const response = await fetch(large)
  const pipelined = exchange(port, requestText(`GET ${project}/pages`, [bearer]).repeat(5), { keepOpen: true })
  await sleep(50)
  const stopping = stop()
  await sleep(100)
  const bytes = await response.arrayBuffer()
  assert.equal(bytes.byteLength, 32 * MEBIBYTE)
  assert.equal((await pipelined).length, 5)
  await stopping
  await assert.rejects(fetch(url))
})

test('a service stops soon after a reply whose head was already sent, even if the client keeps the connection', async () => {
  const { port, stop } = await runningService(temporary)
  const [list] = await exchange(port, requestText(`GET ${project}/files`, [bearer]))
  const files: { filename: string; url: string }[] = JSON.parse(list?.body ?? '').files
  const { pathname } = new URL(files.find(({ filename }) => filename === 'large.bin')?.url ?? '')
  const client = connect(port, '127.0.0.1').on('error', () => undefined)
  client.write(requestText(`GET ${pathname}`))
  await once(client, 'readable')
  const stopping = stop()
  await sleep(1000)
  client.resume()
  await stopping
})

test('a service stops soon, even if a client sends the end of each request with the start of the next one', async () => {
  const { port, stop } = await runningService(temporary)
  const head = requestText('GET /healthz', ['Content-Length: 1'])
  const client = connect(port, '127.0.0.1').on('error', () => undefined)
  client.write(head)
  const dripping = setInterval(() => client.write(`a${head}`), 300)
  await once(client, 'readable')
  await stop()
  clearInterval(dripping)
  client.destroy()
})

test('connections without a request, or without a further one, do not delay a stop', async () => {
  const { port, stop } = await runningService(temporary)
  const unasked = connect({ port, host: '127.0.0.1' })
  const idle = connect({ port, host: '127.0.0.1' })
  await Promise.all([once(unasked, 'connect'), once(idle, 'connect')])
  idle.write(requestText('GET /healthz'))
  await once(idle, 'data')
  const closed = Promise.all([once(unasked.resume(), 'close'), once(idle.resume(), 'close')])
  await stop()
  await closed
})

test('a stopping service reports on open connections that it is not ready', async () => {
  const { port, stop } = await runningService(temporary)
  const connection = connect({ port, host: '127.0.0.1' })
  connection.write(requestText('GET /readyz'))
  const [before] = await once(connection, 'data')
  assert.match(String(before), /^HTTP\/1\.1 200 .*\r\n\r\nready\n$/s)
  const stopping = stop()
  connection.write(requestText('GET /readyz'))
  const [after] = await once(connection, 'data')
  assert.match(String(after), /^HTTP\/1\.1 503 .*\r\n\r\nunavailable: the service is ending\n$/s)
  await stopping
})

const ASKS_FOR_TUNNEL = `${requestText('GET /')}CONNECT a.test:1 HTTP/1.1\r\nHost: a.test:1\r\n\r\n`

/** Starts a server with a reply larger than the system's buffers, and a client that requests it, and then a tunnel. */
async function serveBeforeTunnel(t: TestContext, limits: NonNullable<ListenOptions['limits']>) {
  const server = await listen({ host: '127.0.0.1', port: 0, log: silent, observe: () => undefined, limits })
  const large = new Uint8Array(32 * MEBIBYTE)
  server.answerWith(() => ({ status: 200, headers: [], body: large }), 'http://brand.test')
  const client = connect(server.port, '127.0.0.1').on('error', () => undefined)
  t.after(() => client.destroy())
  client.write(ASKS_FOR_TUNNEL)
  await once(client, 'readable')
  return { server, client, large }
}

test('a client that requests a tunnel behind an unread reply does not delay a stop', async t => {
  const { server } = await serveBeforeTunnel(t, { drainMs: 100 })
  await server.stop()
})

test('a client that requests a tunnel behind a reply is dropped if it does not read the reply', async t => {
  const { server, client, large } = await serveBeforeTunnel(t, { stallMs: 500 })
  await sleep(3000)
  let read = 0
  client.on('data', bytes => {
    read += bytes.length
  })
  await once(client, 'close')
  assert.ok(read < large.length)
  await server.stop()
})
