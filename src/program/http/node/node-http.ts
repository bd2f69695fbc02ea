import type { Server } from 'node:http'
import { createRequire } from 'node:module'

/** From `require`: an import would read `WebSocket`, for which Node loads an HTTP client in 50 ms. */
const http: typeof import('node:http') = createRequire(import.meta.url)('node:http')

export const { STATUS_CODES } = http
export type { IncomingMessage, Server, ServerResponse } from 'node:http'

/** Makes a server for connections that a listener accepts. It drops a client that reads nothing for `stallMs`. */
export function newServer(stallMs: number): Server {
  const server = http.createServer({
    maxHeaderSize: 32 << 10,
    keepAliveTimeout: 65_000,
    requireHostHeader: false,
    // Most requests have no body, so do not create a stream for them.
    optimizeEmptyRequests: true,
  })
  // Reads all fields, and lets a client that closes its side get its replies.
  return Object.assign(server, { maxHeadersCount: 0, httpAllowHalfOpen: true, timeout: stallMs })
}
