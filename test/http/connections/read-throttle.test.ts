import assert from 'node:assert/strict'
import { Socket } from 'node:net'
import test from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Connection } from '../../../src/http/connections/connections.ts'
import { readThrottle } from '../../../src/http/connections/read-throttle.ts'
import { listen } from '../../../src/http/server.ts'
import { silent } from '../../support/service.ts'
import { exchange, requestText } from '../../support/socket.ts'

/** So many connections that are read, and a throttle of them; `waiting.count` requests wait. */
function reading(count: number) {
  const sockets = Array.from({ length: count }, () => new Socket().resume())
  const connections = sockets.map(
    (socket): Connection => ({
      socket,
      latest: undefined,
      bytesRead: 0,
      isLastRequest: false,
      isOverShare: false,
      closingSince: undefined,
      streams: 0,
      plain: undefined,
      ready: undefined,
    }),
  )
  const waiting = { count: 0 }
  const known = {
    values: () => connections.values(),
    get: () => undefined,
    count: () => count,
    streams: () => () => {},
  }
  const throttle = readThrottle(known, () => waiting.count)
  const come = (socket: Socket | undefined, requests: number) => {
    for (let at = 0; socket && at < requests; at++) throttle.cameBehind(socket)
  }
  return { sockets, waiting, come, read: () => sockets.map(socket => !socket.isPaused()) }
}

test('if 500 requests come behind others in one turn of the event loop, nothing is read any further in it', async () => {
  const { sockets, come, read } = reading(3)
  come(sockets[0], 400)
  await nextTurn()
  come(sockets[0], 499)
  assert.deepEqual(read(), [true, true, true])
  come(sockets[1], 1)
  assert.deepEqual(read(), [false, false, false])
})

test('then the quiet are read first, two, four and eight in a turn, unless 500 requests wait', async () => {
  const { sockets, waiting, come, read } = reading(8)
  waiting.count = 500
  come(sockets[0], 500)
  await nextTurn()
  assert.ok(!read().includes(true))
  waiting.count = 499
  await nextTurn()
  assert.deepEqual(read(), [false, true, true, false, false, false, false, false])
  await nextTurn()
  assert.deepEqual(read(), [false, true, true, true, true, true, true, false])
  await nextTurn()
  assert.ok(!read().includes(false))
})

test('of tens of thousands of requests that come in one piece each is answered, and so is who asks meanwhile', async t => {
  const server = await listen({ host: '127.0.0.1', port: 0, log: silent, observe: () => undefined })
  t.after(() => server.stop())
  server.answerWith(() => ({ status: 200, headers: [], body: new Uint8Array(1) }), 'http://brand.test')
  const burst = requestText('GET /').repeat(499) + requestText('GET /', ['Connection: close'])
  const bursts = Array.from({ length: 40 }, () => exchange(server.port, burst, { keepOpen: true }))
  const [health] = await exchange(server.port, requestText('GET /healthz', ['Connection: close']))
  assert.equal(health?.status, 200)
  for (const replies of await Promise.all(bursts))
    assert.deepEqual(
      replies.map(({ status }) => status === 200 || status === 503),
      Array(500).fill(true),
    )
})
