import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeListenerHolder } from '../../../src/http/connections/listener-holder.ts'

test('a server that ends just as it gets its listening socket back does not listen again', async t => {
  const server = createServer()
  t.after(() => server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const held = Promise.withResolvers<void>()
  const holder = makeListenerHolder(server, held.resolve)
  holder.handOver()
  await held.promise
  holder.release()
  holder.takeBack()
  blockFor(1000) // The answer comes meanwhile, and is not read.
  await holder.end()
  await sleep(100)
  assert.equal(server.listening, false)
})

function blockFor(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}
