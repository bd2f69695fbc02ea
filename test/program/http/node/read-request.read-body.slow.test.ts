import assert from 'node:assert/strict'
import { IncomingMessage } from 'node:http'
import { connect, Socket } from 'node:net'
import test, { after } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { RefusedBody } from '#brand/contract/refusals.ts'
import { AGENT_ROUTES } from '#delivery/agents/answer.ts'
import type { Reply, Request } from '#platform/exchange/message.ts'
import { text } from '#platform/exchange/reply.ts'
import { openBodyMemory } from '#program/http/body-memory.ts'
import { readBody, uploadOf } from '#program/http/node/read-request.ts'
import { listen } from '#program/http/server.ts'
import { ROUTES } from '#program/http/service/routes.ts'
import { PATIENCE_MS } from '../../../support/patience.ts'
import { runningService, silent } from '../../../support/service.ts'
import { exchange, requestText } from '../../../support/socket.ts'
import { publishedStore, SMALL_BRAND } from '../../../support/temporary-store.ts'
import { until } from '../../../support/until.ts'

const MIB = 1 << 20
const GUIDE = '/acme/guidelines/-/mcp'
const JSON_TYPE = 'Content-Type: application/json'
const CHUNKED = 'Transfer-Encoding: chunked'

/** A server that answers with the length and the sum of the bytes of a body, once `answering` resolves. */
let answering: Promise<void> | undefined
let asked = 0
const server = await listen({ host: '127.0.0.1', port: 0, log: silent, observe: () => undefined })
after(() => server.stop())
const answer = ({ body = new Uint8Array() }: Request): Reply =>
  text(`${body.length} ${body.reduce((sum, byte) => sum + byte, 0)}`)
server.answerWith(request => {
  asked++
  return answering?.then(() => answer(request)) ?? answer(request)
}, 'http://brand.test/below')
const { port } = server

function post(path: string, fields: readonly string[], body = ''): string {
  return requestText(`POST ${path}`, [JSON_TYPE, ...fields], body)
}

function withLength(path: string, bytes: number): string {
  return post(path, [`Content-Length: ${bytes}`], 'x'.repeat(bytes))
}

function inChunks(path: string, bytes: number, size: number): string {
  const chunk = `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`
  return post(path, [CHUNKED], `${chunk.repeat(bytes / size)}0\r\n\r\n`)
}

const sumOf = (bytes: number) => `${bytes} ${bytes * 'x'.charCodeAt(0)}`
const [LARGE, TOO_LARGE] = [1_400_000, Math.ceil(1.6 * MIB)]

test('only the addresses of agents, and the forms of the editor, accept more than 64 KiB', () => {
  const rows = ROUTES.filter(({ maxBody }) => maxBody !== undefined)
  const seen = rows.map(({ pattern, maxBody }) => [pattern, maxBody])
  assert.deepEqual(seen, [
    ...AGENT_ROUTES.map(({ pattern }) => [pattern, 1.5 * MIB]),
    ['/{workspace}/{project}/-/edit/-/picture', 50 * MIB + (64 << 10)],
    ['/{workspace}/{project}/-/edit/-/file/{page}', 50 * MIB + (64 << 10)],
    ['/{workspace}/{project}/-/edit/-/upload', 50 * MIB + (64 << 10)],
    ['/{workspace}/{project}/-/edit/{page}', 50 * MIB + (64 << 10)],
  ])
})

for (const [what, bytes, status, expected = ''] of [
  ['a message of 1.4 MB of an agent', withLength('/mcp', LARGE), 200, sumOf(LARGE)],
  ['a message of 1.4 MB to a guide', withLength(GUIDE, LARGE), 200, sumOf(LARGE)],
  ['a message of 1.4 MB below the public URL', withLength('/below/mcp', LARGE), 200, sumOf(LARGE)],
  ['a message of 1.4 MB to a guide of the workspace `below`', withLength('/below/x/-/mcp', LARGE), 200, sumOf(LARGE)],
  ['a message of exactly 1.5 MiB', withLength('/mcp', 1.5 * MIB), 200, sumOf(1.5 * MIB)],
  ['a message of 1.5 MiB and a byte', withLength('/mcp', 1.5 * MIB + 1), 413],
  ['a message that says 1.6 MiB before any of it', post('/mcp', [`Content-Length: ${TOO_LARGE}`]), 413],
  ['a message of 1.4 MB in chunks of 100 bytes', inChunks(GUIDE, LARGE, 100), 200, sumOf(LARGE)],
  ['a message of 80,000 bytes in chunks of a byte', inChunks(GUIDE, 80_000, 1), 200, sumOf(80_000)],
  ['a message of 1.6 MiB in chunks', inChunks(GUIDE, TOO_LARGE + 12, 100), 413],
  ['a body of 1.4 MB elsewhere', withLength('/oauth/token', LARGE), 413],
  ['a body of 1.4 MB elsewhere in chunks', inChunks('/acme/guidelines', LARGE, 1000), 413],
  ['a body of 64 KiB elsewhere', withLength('/oauth/token', 65_536), 200, sumOf(65_536)],
] as const)
  test(`${what} gets ${status}`, { timeout: PATIENCE_MS }, async () => {
    const replies = await exchange(port, bytes, { keepOpen: status === 413 })
    const statuses = replies.map(reply => reply.status)
    assert.deepEqual(statuses, [status])
    if (status === 200) assert.equal(replies[0]?.body, expected)
  })

test('a service answers a message of 1.4 MB, also if it is deeply nested', { timeout: PATIENCE_MS }, async () => {
  const service = await runningService(await publishedStore('acme/guidelines', SMALL_BRAND))
  const call = (args: string) =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":${args}}}`
  for (const [body, statuses] of [
    [call(`{"query":"logo","limit":1}${' '.repeat(LARGE)}`), [200]],
    [call(`{"query":"${'\\u00e9'.repeat(LARGE / 6)}"}`), [200]],
    [call(`{"query":${'['.repeat(LARGE / 2)}${']'.repeat(LARGE / 2)}}`), [200]],
    [call(`{"query":${'{"a":'.repeat(LARGE / 6)}1${'}'.repeat(LARGE / 6)}}`), [200]],
    [`[${call('{}')}${`,${call('{}')}`.repeat(14_000)}]`, [400]],
    ['['.repeat(LARGE), [400]],
  ] as const) {
    const [reply] = await exchange(
      service.port,
      post(GUIDE, [`Content-Length: ${body.length}`], body).replace('brand.test', 'localhost'),
    )
    assert.ok(
      statuses.some(status => status === reply?.status),
      `${reply?.status} ${body.slice(0, 120)}`,
    )
  }
  const [health] = await exchange(service.port, requestText('GET /healthz'))
  assert.equal(health?.status, 200)
})

/** A client that sends the first bytes of a body, and the rest later. */
type SlowClient = { socket: Socket; ended: Promise<Buffer> }

/** Clients that share the buffer of their first bytes take no memory that a test could count. */
function slowClient(first: Buffer): SlowClient {
  const socket = connect({ port, host: '127.0.0.1' })
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.on('error', () => undefined)
  socket.write(first)
  return { socket, ended: new Promise(resolve => socket.once('close', () => resolve(Buffer.concat(chunks)))) }
}

/** As many bodies of 1.5 MiB as have memory. */
const BODIES = Array.from({ length: 42 })
const PIECE = Buffer.alloc(350_000, 'x')
/** As many clients as would send 120 MiB before their last piece. */
const COUNT = 120

test('slow bodies have 64 MiB together; more get 503, small ones are read', { timeout: PATIENCE_MS }, async () => {
  const before = usedMemory()
  const first = Buffer.from(post(GUIDE, ['Connection: close', `Content-Length: ${LARGE}`], PIECE.toString()))
  const clients = Array.from({ length: COUNT }, () => slowClient(first))
  for (let sent = PIECE.length; sent < LARGE - PIECE.length; sent += PIECE.length) {
    for (const { socket } of clients) if (socket.writable) socket.write(PIECE)
    await pause(20)
    await until(() => usedMemory() - before < 100 * MIB)
    const [small] = await exchange(port, withLength(GUIDE, 60_000))
    assert.equal(small?.body, sumOf(60_000))
  }
  const [refused] = await exchange(port, withLength(GUIDE, LARGE))
  assert.equal(refused?.status, 503)
  assert.ok(refused.fields.some(([name, value]) => name === 'Retry-After' && value === '1'))
  for (const { socket } of clients) if (socket.writable) socket.write(PIECE)
  const replies = await Promise.all(clients.map(({ ended }) => ended))
  const fitting = Math.floor((64 * MIB) / LARGE)
  const statuses = Object.groupBy(replies, bytes => bytes.toString().slice(9, 12))
  assert.deepEqual(Object.keys(statuses), ['200', '503'])
  const answered = statuses['200']?.length ?? 0
  assert.ok(answered > fitting / 2 && answered <= fitting, `${answered} of ${fitting}`)
  await untilFree()
})

test('the memory is free again after clients that leave or send nonsense', { timeout: PATIENCE_MS }, async () => {
  for (const rest of ['', 'zz\r\n', inChunks('/', TOO_LARGE + 12, 100).split('\r\n\r\n')[1] ?? '']) {
    const chunk = inChunks(GUIDE, LARGE, LARGE).split('\r\n\r\n')[1]?.slice(0, -5) ?? ''
    const first = Buffer.from(post(GUIDE, ['Connection: close', CHUNKED], chunk))
    const clients = await fillMemory(first)
    for (const { socket } of clients)
      if (rest === '') socket.destroy()
      else socket.write(rest)
    await Promise.all(clients.map(({ ended }) => ended))
    await untilFree()
  }
})

/** Clients whose bodies take all memory. If one of them waited too long on a busy machine, all begin again. */
async function fillMemory(first: Buffer): Promise<SlowClient[]> {
  const clients = BODIES.map(() => slowClient(first))
  let [isFull, isOver] = [false, false]
  void Promise.race(clients.map(({ ended }) => ended)).then(() => {
    isOver = true
  })
  while (!isFull && !isOver) isFull = (await exchange(port, withLength(GUIDE, 1.5 * MIB)))[0]?.status === 503
  if (isFull) return clients
  for (const { socket } of clients) socket.destroy()
  await untilFree()
  return fillMemory(first)
}

test('a large body counts until its reply is made', { timeout: PATIENCE_MS }, async () => {
  const gate = Promise.withResolvers<void>()
  answering = gate.promise
  asked = 0
  const sent = BODIES.map(() => exchange(port, withLength(GUIDE, 1.5 * MIB)))
  await until(() => asked === BODIES.length)
  const [refused] = await exchange(port, withLength(GUIDE, 1.5 * MIB))
  assert.equal(refused?.status, 503)
  gate.resolve()
  answering = undefined
  for (const [reply] of await Promise.all(sent)) assert.equal(reply?.status, 200)
  await untilFree()
})

test('a connection that stays open keeps no body in memory', { timeout: PATIENCE_MS }, async () => {
  const before = usedMemory()
  const sockets = BODIES.map(() => connect({ port, host: '127.0.0.1' }))
  const replies = sockets.map(socket => new Promise(resolve => socket.once('data', resolve)))
  for (const socket of sockets) socket.write(inChunks(GUIDE, LARGE, 1000))
  await Promise.all(replies)
  await until(() => usedMemory() - before < 5 * MIB)
  for (const socket of sockets) socket.destroy()
})

test('a large body takes memory as it arrives; one that takes 15 s is refused, and gives its memory back', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const memory = openBodyMemory({ maxBytes: 2 * MIB })
  const incoming = new IncomingMessage(new Socket())
  incoming.headers['content-length'] = `${1.5 * MIB}`
  const request = { method: 'POST', path: '/mcp', query: '', headers: {}, authorizations: 0, address: '' }
  const read = readBody(incoming, request, 1.5 * MIB, memory)
  incoming.push(Buffer.alloc(70_000))
  await new Promise(setImmediate)
  assert.equal(memory.take(request, 2 * MIB - 69_999), false)
  assert.equal(memory.take(request, 1.5 * MIB), true)
  memory.giveBack(request, 1.5 * MIB)
  t.mock.timers.tick(15_000)
  const outcome = await read
  assert.equal(outcome.ok ? 'read' : outcome.problem.id, 'request-timeout')
  assert.equal(memory.take(request, 2 * MIB), true)
})

test('a body that its handler reads ends with 408 below 1 KiB/s over 30 s, whatever it declares', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let nowMs = 0
  t.mock.method(performance, 'now', () => nowMs)
  const later = async (milliseconds: number) => {
    nowMs += milliseconds
    t.mock.timers.tick(milliseconds)
    await new Promise(setImmediate)
  }
  for (const [bytesPerSecond, endsAfter] of [
    [1200, undefined],
    [900, 35],
    [0, 31],
  ] as const) {
    const incoming = new IncomingMessage(new Socket())
    let outcome: string | undefined
    const reading = (async () => {
      for await (const _ of uploadOf(incoming, 50 * MIB));
    })().catch(error => (outcome = error instanceof RefusedBody ? error.refusal.id : String(error)))
    let seconds = 0
    for (; seconds < 120 && outcome === undefined; seconds++) {
      if (bytesPerSecond > 0) incoming.push(Buffer.alloc(bytesPerSecond))
      await later(1000)
    }
    if (endsAfter === undefined) assert.deepEqual([outcome, seconds], [undefined, 120])
    else assert.ok(outcome === 'request-timeout' && seconds <= endsAfter, `${outcome} after ${seconds} s`)
    incoming.push(null)
    await reading
  }
})

/** The bytes of all buffers that are used, or were a moment ago: V8 frees some only after a collection. */
function usedMemory(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().arrayBuffers
}

/** Waits until 64 MiB can be taken again: the server notices a closed connection a moment later. */
async function untilFree(): Promise<void> {
  await until(async () => {
    const replies = await Promise.all(BODIES.map(() => exchange(port, withLength(GUIDE, 1.5 * MIB))))
    return replies.every(([reply]) => reply?.status === 200)
  })
}
