import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { maxConnections } from '../../../src/http/connections/connection-cap.ts'
import { listen } from '../../../src/http/server.ts'
import { silent } from '../../support/service.ts'
import { exchange, readReplies, requestText } from '../../support/socket.ts'

const DESCRIPTORS = 64
const MAX = maxConnections(DESCRIPTORS)
const HALF_A_HEAD = 'GET / HTTP/1.1\r\nHost: brand.test\r\nX: '
const HALF_A_BODY = requestText('POST /', ['Content-Length: 2'], 'x')

/** A server with few descriptors; while its cap is reached, a request has to come whole within `fullRequestMs`. */
async function serving(t: TestContext, fullRequestMs: number): Promise<number> {
  const limits = { descriptors: DESCRIPTORS, fullRequestMs }
  const server = await listen({ host: '127.0.0.1', port: 0, log: silent, observe: () => undefined, limits })
  t.after(() => server.stop())
  server.answerWith(() => ({ status: 200, headers: [], body: new Uint8Array() }), 'http://brand.test')
  return server.port
}

/** Connects, and sends what is the beginning of a request. */
async function begin(port: number, bytes: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(bytes)
  return socket
}

async function statusesOn(socket: Socket): Promise<number[]> {
  return readReplies(await buffer(socket), false).map(({ status }) => status)
}

test('while all connections are taken by slow heads and bodies, these get 408, and whoever waits is answered', async t => {
  const port = await serving(t, 1)
  const slow = Array.from({ length: MAX }, (_, at) => begin(port, at % 2 === 0 ? HALF_A_HEAD : HALF_A_BODY))
  const replies = (await Promise.all(slow)).map(statusesOn)
  const [reply] = await exchange(port, requestText('GET /', ['Connection: close']))
  assert.equal(reply?.status, 200)
  assert.deepEqual(await Promise.all(replies), Array(MAX).fill([408]))
})

test('slow requests get 408 as well if others come and go quickly, so that the cap is reached anew each moment', async t => {
  const port = await serving(t, 500)
  const slow = await Promise.all(Array.from({ length: MAX - 1 }, () => begin(port, HALF_A_HEAD)))
  let isOver = false
  const replies = Promise.all(slow.map(statusesOn)).finally(() => {
    isOver = true
  })
  for (let asked = 0; !isOver && asked < 20_000; asked++) {
    const [reply] = await exchange(port, requestText('GET /', ['Connection: close']))
    assert.equal(reply?.status, 200)
  }
  assert.ok(isOver)
  assert.deepEqual(await replies, Array(MAX - 1).fill([408]))
})

test('idle connections make room before those whose request is still coming', async t => {
  const port = await serving(t, 60_000)
  const idle = await begin(port, requestText('GET /'))
  await once(idle, 'data')
  const slow = await Promise.all(Array.from({ length: MAX - 1 }, () => begin(port, HALF_A_HEAD)))
  const [reply] = await exchange(port, requestText('GET /', ['Connection: close']))
  assert.equal(reply?.status, 200)
  assert.deepEqual(await statusesOn(idle), [])
  const replies = slow.map(statusesOn)
  for (const socket of slow) socket.end('y\r\nConnection: close\r\n\r\n')
  assert.deepEqual(await Promise.all(replies), Array(MAX - 1).fill([200]))
})

test('as long as there is room, a request may take its time', async t => {
  const port = await serving(t, 1)
  const [reply] = await exchange(port, [...requestText('GET /', ['Connection: close'])], { pauseMs: 40 })
  assert.equal(reply?.status, 200)
})

test('while all connections are taken by clients that do not read their replies, whoever waits is answered', async t => {
  const limits = { descriptors: DESCRIPTORS, fullRequestMs: 500 }
  const server = await listen({ host: '127.0.0.1', port: 0, log: silent, observe: () => undefined, limits })
  t.after(() => server.stop())
  const large = new Uint8Array(20 << 20)
  server.answerWith(() => ({ status: 200, headers: [], body: large }), 'http://brand.test')
  const unread = await Promise.all(Array.from({ length: MAX }, () => begin(server.port, requestText('GET /'))))
  for (const socket of unread) socket.on('error', () => undefined)
  const [answered] = await exchange(server.port, requestText('GET /', ['Connection: close']))
  for (const socket of unread) socket.destroy()
  assert.equal(answered?.body.length, large.length)
})

test('while all connections are taken, a client that reads at a good pace gets its whole reply', async t => {
  const limits = { descriptors: DESCRIPTORS, fullRequestMs: 500 }
  const server = await listen({ host: '127.0.0.1', port: 0, log: silent, observe: () => undefined, limits })
  t.after(() => server.stop())
  const large = new Uint8Array(5 << 20)
  server.answerWith(() => ({ status: 200, headers: [], body: large }), 'http://brand.test')
  const readers = await Promise.all(Array.from({ length: MAX }, () => begin(server.port, requestText('GET /'))))
  const totals = await Promise.all(readers.map(readAtAPace))
  for (const socket of readers) socket.destroy()
  assert.deepEqual(
    totals.filter(total => total < large.length),
    [],
  )
})

/** Reads at most 64 KiB each 50 ms until the reply is whole or cut off; gives the bytes of all. */
async function readAtAPace(socket: Socket): Promise<number> {
  socket.on('error', () => undefined)
  let total = 0
  for await (const chunk of socket) {
    total += chunk.length
    if (total > 5 << 20) break
    await sleep(50)
  }
  return total
}

test('an empty line after a reply keeps no connection while all are taken', async t => {
  const reached = Promise.withResolvers<void>()
  const log = { ...silent, warn: () => reached.resolve() }
  const limits = { descriptors: DESCRIPTORS, fullRequestMs: 500 }
  const server = await listen({ host: '127.0.0.1', port: 0, log, observe: () => undefined, limits })
  t.after(() => server.stop())
  const reply = { status: 200, headers: [], body: new Uint8Array() }
  const never = Promise.withResolvers<typeof reply>()
  server.answerWith(({ path }) => (path === '/never' ? never.promise : reply), 'http://brand.test')
  const sockets = await Promise.all(Array.from({ length: MAX - 1 }, () => begin(server.port, requestText('GET /'))))
  for (const socket of sockets) {
    await once(socket, 'data')
    socket.write('\r\n')
  }
  const last = await begin(server.port, requestText('GET /never'))
  await reached.promise
  const [answered] = await exchange(server.port, requestText('GET /', ['Connection: close']))
  never.resolve(reply)
  for (const socket of [...sockets, last]) socket.destroy()
  assert.equal(answered?.status, 200)
})

test('clients that send the rest of each request with the start of the next one make room while all are taken', {
  timeout: 30_000,
}, async t => {
  const port = await serving(t, 5000)
  const head = requestText('POST /', ['Content-Length: 1'])
  const sockets = await Promise.all(Array.from({ length: MAX }, () => begin(port, head)))
  for (const socket of sockets) socket.on('error', () => undefined).resume()
  const dripping = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write(`x${head}`)
  }, 400)
  t.after(() => clearInterval(dripping))
  const [reply] = await exchange(port, requestText('GET /', ['Connection: close']))
  assert.equal(reply?.status, 200)
})
