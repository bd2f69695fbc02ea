import assert from 'node:assert/strict'
import { exchange, requestText } from './socket.ts'

/** A raw reply: alternating names and values of its fields, without fields that vary between replies. */
export type Received = { status: number; fields: readonly string[]; text: string }

/** A request: `fields` are alternating names and values, sent unchanged. */
export type Sent = { method?: string; fields?: readonly string[]; body?: string }

/** Sends a request over a new socket. */
export async function receive(
  port: number,
  target: string,
  { method = 'GET', fields = [], body = '' }: Sent = {},
): Promise<Received> {
  const length = body === '' ? [] : ['Content-Length', String(body.length)]
  const all = [...fields, ...length, 'Connection', 'close']
  const lines = all.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${all[at + 1]}`] : []))
  const [reply] = await exchange(port, requestText(`${method} ${target}`, lines, body), {
    isHead: method === 'HEAD',
    keepOpen: true,
  })
  assert.ok(reply)
  const lasting = reply.fields.filter(([name]) => !FLEETING.test(name)).flat()
  return { status: reply.status, fields: lasting, text: reply.body }
}

const FLEETING = /^(date|x-request-id|connection)$/i
