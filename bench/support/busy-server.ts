import { hash } from 'node:crypto'
import { listen } from '#program/http/server.ts'

/* A program: our HTTP server with a service that uses about a millisecond of processor time for each request. */
const work = Buffer.alloc(1 << 20)
const body = Buffer.alloc(1000)
const log = { error: console.error, warn: ignore, info: ignore, debug: ignore }
const server = await listen({ host: '127.0.0.1', port: 0, log, observe: ignore })
server.answerWith(() => {
  hash('sha256', work)
  return { status: 200, headers: [], body }
}, 'http://brand.test')
console.log(server.port)

function ignore(): void {}
