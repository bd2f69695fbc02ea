import { createRequire } from 'node:module'

/**
 * `node:http` as `require` gives it. An import reads everything that the module exports, and with its `WebSocket` Node loads
 * a client for the web: 50 ms of each start, more than Node itself takes.
 */
const http: typeof import('node:http') = createRequire(import.meta.url)('node:http')

export const { createServer, STATUS_CODES } = http
export type { IncomingMessage, Server, ServerResponse } from 'node:http'
