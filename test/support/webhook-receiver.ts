import type { IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import type { Deliver } from '#delivery/events/webhooks/attempt.ts'
import { untrustedFetch } from '#platform/outgoing/outgoing-fetch.ts'
import { type Certificate, secureServer } from './certificate.ts'

/** A received message. */
export type ReceivedMessage = { path: string; headers: IncomingHttpHeaders; body: string }

/** A reply: a status with fields. */
export type ReceiverReply = { status: number; fields?: Record<string, string> }

/** An https server that records messages; `reply` decides its replies, by default 204. */
export type Receiver = {
  url: string
  received: ReceivedMessage[]
  reply: (message: ReceivedMessage) => ReceiverReply | Promise<ReceiverReply>
}

/** Starts a receiver on a free port of 127.0.0.1. */
export async function startReceiver(certificate: Certificate): Promise<Receiver> {
  const receiver: Receiver = { url: '', received: [], reply: () => ({ status: 204 }) }
  const port = await secureServer(certificate, async (request, response) => {
    const message = { path: request.url ?? '', headers: request.headers, body: await text(request) }
    receiver.received.push(message)
    const { status, fields } = await receiver.reply(message)
    response.writeHead(status, fields).end()
  })
  receiver.url = `https://127.0.0.1:${port}`
  return receiver
}

/** The requests of webhooks, to receivers on this machine too. */
export function localDeliverer(maxMs = 20_000): Deliver {
  const allow = [{ address: '127.0.0.0', prefix: 8, family: 'ipv4' }] as const
  return untrustedFetch({ allow, publicUrl: 'https://brand.test' }, { maxMs })
}

/** Verifies a message as receivers do, except its age, and returns its content. Throws if the signature is wrong. */
export function verifyMessage({ headers, body }: ReceivedMessage, secret: string) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = headers
  const seconds = Number(timestamp)
  const signed = new Webhook(secret).sign(String(id), new Date(seconds * 1000), body)
  if (!String(signature).split(' ').includes(signed)) throw new Error(`${signature} does not contain ${signed}`)
  return JSON.parse(body)
}
