import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { after } from 'node:test'
import { listeningPort } from './free-port.ts'

/** Starts a server on a free port of this machine, until it is stopped or the tests are done. */
export async function localServer(listener: RequestListener): Promise<{ url: string; stop: () => Promise<void> }> {
  const server = createServer(listener)
  const port = await listeningPort(server)
  const stop = async () => {
    if (!server.listening) return
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  after(stop)
  return { url: `http://127.0.0.1:${port}`, stop }
}
