import { once } from 'node:events'
import { get } from 'node:http'
import { buffer } from 'node:stream/consumers'

/** A reply as sent, without the fields that belong to a connection or a moment. */
export type Reply = { status: number; fields: ReadonlyMap<string, string>; body: Buffer }

/** Sends one request on a new connection. */
export async function replyTo(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
  const [reply] = await once(get(url, { headers, agent: false }), 'response')
  const body = await buffer(reply)
  const fields = new Map(Object.entries<string>(reply.headers).filter(([name]) => !TRANSIENT.test(name)))
  return { status: reply.statusCode, fields, body }
}

const TRANSIENT = /^(?:date|connection|keep-alive|transfer-encoding|content-length)$/
