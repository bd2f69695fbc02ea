import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, Socket } from 'node:net'
import test from 'node:test'
import { readShared } from '../../../src/http/plain/shared-read.ts'
import { listen } from '../../../src/http/server.ts'
import { silent } from '../../support/service.ts'
import { exchange, requestText } from '../../support/socket.ts'

test('what waits on a connection is not overwritten by what comes on others meanwhile', async t => {
  const server = await listen({ host: '127.0.0.1', port: 0, log: silent, observe: () => undefined })
  t.after(() => server.stop())
  server.answerWith(async ({ path, body }) => {
    await new Promise(resolve => setTimeout(resolve, 30))
    return { status: 200, headers: [], body: body ?? new TextEncoder().encode(path) }
  }, 'http://brand.test')
  const all = await Promise.all(
    Array.from({ length: 20 }, (_, at) => {
      const posted = requestText('POST /body', ['Content-Length: 4'], `b-${at + 10}`)
      return exchange(server.port, [requestText(`GET /a-${at}`), posted, requestText(`GET /c-${at}`)], { pauseMs: 5 })
    }),
  )
  assert.deepEqual(
    all.map(replies => replies.map(({ body }) => body)),
    all.map((_, at) => [`/a-${at}`, `b-${at + 10}`, `/c-${at}`]),
  )
})

test('all connections that a server accepts are read into one buffer', async t => {
  const taken: Buffer[] = []
  const server = createServer(socket => {
    const take = (bytes: Buffer) => {
      taken.push(bytes)
      socket.end()
    }
    readShared(socket, () => true, take)
  })
  t.after(() => server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  assert.ok(address instanceof Object)
  for (const text of ['abc', 'def']) await once(connect(address.port, '127.0.0.1').resume().end(text), 'close')
  const [one, other] = taken
  assert.ok(one && one.buffer === other?.buffer)
  assert.deepEqual([one.length, String(other)], [3, 'def'])
})

test('where Node cannot do it, what comes goes through the stream', () => {
  const socket = new Socket() // It is not connected, and has nothing to read from.
  const take = () => assert.fail('it was taken')
  readShared(socket, () => true, take)
  socket.push('abc')
  assert.equal(String(socket.read()), 'abc')
})
