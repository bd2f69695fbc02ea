import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { listen } from '#program/http/server.ts'
import { silent } from '../../support/service.ts'
import { exchange, requestText } from '../../support/socket.ts'
import { until } from '../../support/until.ts'

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
