import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { listen } from '../../../src/http/server.ts'
import { silent } from '../../support/service.ts'
import { exchange, readReplies, requestText } from '../../support/socket.ts'

async function startServer(t: TestContext, timeouts: { headMs: number; requestMs: number }): Promise<number> {
  const server = await listen({ host: '127.0.0.1', port: 0, log: silent, observe: () => undefined, limits: timeouts })
  t.after(() => server.stop())
  server.answerWith(() => ({ status: 200, headers: [], body: new Uint8Array() }), 'http://brand.test')
  return server.port
}

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
    const port = await startServer(t, { headMs: 1000, requestMs: 1000 })
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    await once(socket, 'connect')
    const reading = buffer(socket)
    const [first = '', rest = ''] = repliesBefore > 0 ? bytes.split(/(?=GET)/) : [bytes]
    socket.write(first)
    if (rest !== '') await once(socket, 'data')
    socket.write(rest)
    const sending = trickle(socket)
    const replies = readReplies(await reading, false)
    assert.deepEqual(
      replies.map(({ status }) => status),
      [...Array(repliesBefore).fill(200), 408],
    )
    assert.equal(JSON.parse(replies.at(-1)?.body ?? '').error, 'invalid_request')
    socket.destroy()
    await sending
  })

test('a client that keeps sending requests gets no 408, even on a long-lived connection', async t => {
  const port = await startServer(t, { headMs: 1000, requestMs: 1000 })
  const pieces = Array.from({ length: 16 }, (_, at) => (at % 2 ? REQUEST.slice(20) : REQUEST.slice(0, 20)))
  const replies = await exchange(port, [...pieces, requestText('GET /', ['Connection: close'])], { pauseMs: 150 })
  assert.deepEqual(
    replies.map(({ status }) => status),
    Array(9).fill(200),
  )
})
