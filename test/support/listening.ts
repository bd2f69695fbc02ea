import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { after } from 'node:test'
import { type Running, startService } from '../../src/compose.ts'
import type { Settings } from '../../src/settings.ts'
import { silent } from './service.ts'
import type { TemporaryStore } from './temporary-store.ts'

/** A reply as it came: names and values of its fields in turn, without those that differ from reply to reply. */
export type Received = { status: number; fields: readonly string[]; text: string }

/** Starts the service of a store on a free port until the tests are done. */
export async function listening({ store, data }: TemporaryStore, settings: Partial<Settings> = {}): Promise<Running> {
  const fixed = { data, host: '127.0.0.1', port: 0, cors: [], trust: [], maxFile: 1 << 30, maxItems: 10_000 }
  const running = await startService({ ...fixed, log: 'silent', ...settings }, store, silent)
  after(running.stop)
  return running
}

/** Asks over a socket of its own; `fields` are names and values in turn, sent as they are. */
export function receive(
  address: string,
  { method = 'GET', fields = [], body }: { method?: string; fields?: readonly string[]; body?: string } = {},
): Promise<Received> {
  const { host } = new URL(address)
  return new Promise((resolve, reject) => {
    const headers = ['Host', host, 'Connection', 'close', ...fields]
    if (body !== undefined) headers.push('Content-Length', String(Buffer.byteLength(body)))
    const outgoing = request(address, { method, headers, agent: false }, reply => {
      const { statusCode: status = 0, rawHeaders } = reply
      text(reply).then(read => resolve({ status, fields: lasting(rawHeaders), text: read }), reject)
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

const FLEETING = /^(date|x-request-id|connection)$/i

function lasting(fields: readonly string[]): string[] {
  return fields.flatMap((name, at) => (at % 2 === 0 && !FLEETING.test(name) ? [name, fields[at + 1] ?? ''] : []))
}
