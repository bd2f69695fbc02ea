import { createRequire } from 'node:module'

/**
 * `node:http` from `require`. An import reads all exports of the module, and reading `WebSocket` makes Node load an
 * HTTP client: 50 ms of each start, more than Node itself needs.
 */
const http: typeof import('node:http') = createRequire(import.meta.url)('node:http')

export const { createServer, STATUS_CODES } = http
export type { IncomingMessage, Server, ServerResponse } from 'node:http'
