import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/** A currently free port of this machine, below those that systems give to connections, which could take it before it is used. */
export async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listeningPort(server, { port: randomInt(20_000, 32_000) }).catch(() => undefined)
  if (port === undefined) return freePort()
  server.close()
  await once(server, 'close')
  return port
}

/** Lets a server listen on a port of this machine, by default on a free one. Returns the port. */
export async function listeningPort(server: Server, { host = '127.0.0.1', port = 0 } = {}): Promise<number> {
  await once(server.listen(port, host), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return address.port
}
