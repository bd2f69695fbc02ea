import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, Socket } from 'node:net'
import test, { type TestContext } from 'node:test'
import { readSendQueues, sendQueues } from '../../../src/http/connections/send-queues.ts'
import { until } from '../../support/until.ts'

/** Both ends of a connection. */
async function connection(t: TestContext): Promise<{ near: Socket; far: Socket }> {
  const server = createServer().listen(0, '127.0.0.1')
  const accepted = once(server, 'connection')
  await once(server, 'listening')
  const address = server.address()
  const far = connect(typeof address === 'object' && address ? address.port : 0, '127.0.0.1')
  const [near] = await accepted
  t.after(() => {
    far.destroy()
    server.close()
  })
  assert.ok(near instanceof Socket)
  near.on('error', () => undefined)
  return { near, far }
}

test('what the system holds of a connection is told, in one go or in steps, and none of one whose client has taken all', {
  skip: process.platform !== 'linux',
}, async t => {
  const [stalled, quick] = [await connection(t), await connection(t)]
  stalled.far.pause()
  quick.far.resume()
  const bytes = Buffer.alloc(1 << 20)
  for (const { near } of [stalled, quick]) for (let sent = 0; sent < 8; sent++) near.write(bytes)
  for (const look of [sendQueues, async () => (await readSendQueues()).queueOf])
    await until(async () => {
      const queueOf = await look()
      return queueOf(stalled.near) > 1 << 16 && queueOf(quick.near) === 0
    })
})
