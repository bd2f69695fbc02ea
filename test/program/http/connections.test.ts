import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ConnectionLimits } from '#program/http/connections.ts'
import { listen } from '#program/http/server.ts'
import { silent } from '#test/support/service.ts'
import { exchange, type RawReply, readReplies, requestText } from '#test/support/socket.ts'
import { until } from '#test/support/until.ts'

test('a connection is not read further while pipelined requests wait on it, and all of them are answered', async t => {
  const first = Promise.withResolvers<void>()
  let asked = 0
  const server = await listen({ host: '127.0.0.1', port: 0, log: silent, observe: () => undefined })
  t.after(() => server.stop())
  const answer = async () => {
    asked++
    await first.promise
    return { status: 200, headers: [], body: new Uint8Array() }
  }
  server.answerWith(answer, 'http://brand.test')
  // The form keeps the connection from being read as plain requests, and a packet has at most 64 KiB.
  const request = requestText('POST /', ['Content-Length: 8000'], 'a'.repeat(8000))
  const replies = exchange(server.port, request.repeat(500))
  await until(() => asked >= 16)
  await sleep(50)
  assert.ok(asked <= 16 + 8, `${asked} requests are read`)
  first.resolve()
  const statuses = (await replies).map(({ status }) => status)
  assert.deepEqual(statuses, Array(500).fill(200))
})

const PER_ADDRESS = 2
const CLOSING = requestText('GET /', ['Connection: close'])

/** Starts a server that allows an address two connections; 127.0.0.9 may have any number. */
function startServer(t: TestContext, host = '127.0.0.1'): Promise<number> {
  return serveWith(t, { perAddress: PER_ADDRESS, isExempt: (address: string) => address === '127.0.0.9' }, host)
}

async function serveWith(
  t: TestContext,
  limits: Partial<ConnectionLimits>,
  host = '127.0.0.1',
  log = silent,
): Promise<number> {
  const server = await listen({ host, port: 0, log, observe: () => undefined, limits })
  t.after(() => server.stop())
  server.answerWith(() => ({ status: 200, headers: [], body: new Uint8Array() }), 'http://brand.test')
  return server.port
}

/** Opens a connection from a local address and gets one reply on it. */
async function openConnection(port: number, localAddress = '127.0.0.1', host = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host, localAddress, allowHalfOpen: true })
  socket.write(requestText('GET /'))
  await once(socket, 'data')
  return socket
}

function summaryOf({ status, fields, body }: RawReply): object {
  const named = Object.fromEntries(fields.map(([name, value]) => [name.toLowerCase(), value]))
  const { error } = JSON.parse(body)
  return { status, error, retryAfter: named['retry-after'], connection: named.connection }
}

const REFUSED = [{ status: 503, error: 'temporarily_unavailable', retryAfter: '1', connection: 'close' }]

test('an address at its connection cap gets 503 on a further connection, and a reply once another one closes', async t => {
  const port = await startServer(t)
  const [first] = [await openConnection(port), await openConnection(port)]
  assert.deepEqual((await exchange(port, CLOSING + CLOSING)).map(summaryOf), REFUSED)
  first.destroy()
  const asked = async () => (await exchange(port, CLOSING))[0]?.status
  while ((await asked()) !== 200) await sleep(10)
})

test('while one address is capped, other addresses and health checks get replies', async t => {
  const port = await startServer(t)
  await openConnection(port)
  await openConnection(port)
  const other = await openConnection(port, '127.0.0.2')
  other.end(CLOSING)
  const statuses = readReplies(await buffer(other), false).map(({ status }) => status)
  assert.deepEqual(statuses, [200])
  const [health, ...more] = await exchange(port, requestText('GET /healthz') + requestText('GET /healthz'))
  assert.deepEqual([health?.status, more], [200, []])
  assert.ok(health?.fields.some(([name, value]) => name === 'Connection' && value === 'close'))
})

test('an exempt address may have any number of connections', async t => {
  const port = await startServer(t)
  for (let count = 0; count < 3 * PER_ADDRESS; count++) await openConnection(port, '127.0.0.9')
})

test('a silent connection over the cap is closed soon, and a connection over twice the cap is closed at once', async t => {
  const port = await startServer(t)
  await openConnection(port)
  await openConnection(port)
  const further = Array.from({ length: 3 * PER_ADDRESS }, () => connect(port, '127.0.0.1').on('error', () => undefined))
  await Promise.all(further.map(socket => once(socket, 'close')))
})

test('the connections of an IPv6 network count together', async t => {
  const port = await startServer(t, '::1')
  await openConnection(port, '::1', '::1')
  await openConnection(port, '::1', '::1')
  const further = connect({ port, host: '::1', allowHalfOpen: true })
  further.end(CLOSING)
  assert.deepEqual(readReplies(await buffer(further), false).map(summaryOf), REFUSED)
})

test('a connection beyond --max-connections gets 503 until another one closes, and one log line names the setting', async t => {
  const lines: [fields: object, message: string][] = []
  const log = { ...silent, warn: (fields: object, message: string) => void lines.push([fields, message]) }
  const port = await serveWith(t, { connections: 3 }, '127.0.0.1', log)
  const sockets = await Promise.all([openConnection(port), openConnection(port), openConnection(port)])
  for (let time = 0; time < 2; time++) assert.deepEqual((await exchange(port, CLOSING)).map(summaryOf), REFUSED)
  const [health] = await exchange(port, requestText('GET /healthz', ['Connection: close']))
  assert.equal(health?.status, 200)
  sockets[0]?.destroy()
  await until(async () => (await exchange(port, CLOSING))[0]?.status === 200)
  assert.deepEqual(lines, [
    [
      { connections: 3 },
      'the open connections have reached --max-connections, and further ones get 503: raise the limit, or run another process',
    ],
  ])
  for (const socket of sockets) socket.destroy()
})

/** Sends a byte every 100 ms while the connection is open. */
async function trickle(socket: Socket): Promise<void> {
  socket.on('error', () => undefined)
  for (; !socket.destroyed; await sleep(100)) socket.write('x')
}

const REQUEST = requestText('GET /')
const SLOW: readonly [what: string, bytes: string, repliesBefore: number][] = [
  ['a head', 'GET / HTTP/1.1\r\nHost: brand.test\r\nX: ', 0],
  ['a head after a request', `${requestText('POST /', ['Content-Length: 1'], 'x')}GET / HTTP/1.1\r\nX: `, 1],
  ['a body', requestText('POST /', ['Content-Length: 60000']), 0],
]

for (const [what, bytes, repliesBefore] of SLOW)
  test(`${what} that arrives too slowly gets 408, even if bytes keep arriving`, async t => {
    const port = await serveWith(t, { headMs: 1000, requestMs: 1000 })
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    await once(socket, 'connect')
    const reading = buffer(socket)
    const [first = '', rest = ''] = repliesBefore > 0 ? bytes.split(/(?=GET)/) : [bytes]
    socket.write(first)
    if (rest !== '') await once(socket, 'data')
    socket.write(rest)
    const sending = trickle(socket)
    const replies = readReplies(await reading, false)
    const statuses = replies.map(({ status }) => status)
    assert.deepEqual(statuses, [...Array(repliesBefore).fill(200), 408])
    assert.equal(JSON.parse(replies.at(-1)?.body ?? '').error, 'invalid_request')
    socket.destroy()
    await sending
  })

test('a client that keeps sending requests gets no 408, even on a long-lived connection', async t => {
  const port = await serveWith(t, { headMs: 1000, requestMs: 1000 })
  const pieces = Array.from({ length: 16 }, (_, at) => (at % 2 ? REQUEST.slice(20) : REQUEST.slice(0, 20)))
  const replies = await exchange(port, [...pieces, requestText('GET /', ['Connection: close'])], { pauseMs: 150 })
  const statuses = replies.map(({ status }) => status)
  assert.deepEqual(statuses, Array(9).fill(200))
})
