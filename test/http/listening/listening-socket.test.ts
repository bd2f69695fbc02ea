import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { type TestContext, test } from 'node:test'
import { beginListening, ownSocket, portOf } from '../../../src/http/listening/listening-socket.ts'

async function listening(t: TestContext, host: string, port: number): Promise<Server> {
  const server = createServer()
  t.after(() => server.close())
  await beginListening(server, ownSocket(server, host, port))
  return server
}

for (const host of ['127.0.0.1', 'localhost'])
  test(`a server listens at ${host}, on a free port or on the one that is named`, async t => {
    const free = await listening(t, host, 0)
    const port = portOf(free)
    free.close()
    await once(free, 'close')
    assert.equal(portOf(await listening(t, host, port)), port)
  })

for (const [what, host, code] of [
  ['a port that is in use', '127.0.0.1', 'EADDRINUSE'],
  ['an address of another machine', '203.0.113.9', 'EADDRNOTAVAIL'],
  ['a host that nobody knows', 'nowhere.invalid', 'ENOTFOUND'],
] as const)
  test(`${what} is refused with its code`, async t => {
    const port = portOf(await listening(t, '127.0.0.1', 0))
    await assert.rejects(listening(t, host, port), { code })
  })
