import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeListenerHolder } from '../../../src/http/listening/listener-holder.ts'
import { beginListening, ownSocket } from '../../../src/http/listening/listening-socket.ts'

test('a server that ends just as it gets its listening socket back does not listen again', async t => {
  const server = createServer()
  t.after(() => server.close())
  const socket = ownSocket(server, '127.0.0.1', 0)
  await beginListening(server, socket)
  const held = Promise.withResolvers<void>()
  const holder = makeListenerHolder(server, socket, held.resolve)
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
