import { once } from 'node:events'
import { get } from 'node:http'
import { buffer } from 'node:stream/consumers'

/** The bytes of a reply as they came, and its header fields without those that belong to a connection or a moment. */
export type Reply = { status: number; fields: ReadonlyMap<string, string>; body: Buffer }

/** Asks once, over a connection of its own. */
export async function replyTo(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
  const sent = get(url, { headers, agent: false })
  const [reply] = await once(sent, 'response')
  const body = await buffer(reply)
  const fields = new Map(Object.entries<string>(reply.headers).filter(([name]) => !FLEETING.test(name)))
  return { status: reply.statusCode, fields, body }
}

const FLEETING = /^(?:date|connection|keep-alive|transfer-encoding|content-length)$/
