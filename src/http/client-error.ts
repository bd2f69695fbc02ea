import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { REFUSALS, type RefusalId, refusalReply, refuse } from '../contract/refusals.ts'
import { LINGER_MS } from './connections/connections.ts'
import { turnOf } from './connections/pipeline.ts'
import { plainReply } from './plain/plain-reply.ts'

/** A connection whose bytes are not a request, and what the answer to it needs. */
export type ClientError = {
  socket: Duplex
  /** The reply to the last request that could be read on this connection. */
  latest: ServerResponse | undefined
  publicUrl: string
  requestId: string
}

/**
 * Answers bytes that are not a request with an error reply of the API, and closes the connection. Replies that are
 * under way go first. Gives the status of that reply, or undefined if none is sent: the client is gone, or is answered
 * already.
 */
export function answerClientError(error: Error, client: ClientError): number | undefined {
  const { socket, latest } = client
  if (closing.has(socket)) return undefined
  closing.add(socket)
  if ('code' in error && error.code === 'ECONNRESET') {
    socket.destroy()
    return undefined
  }
  const isBodyBroken = latest?.req.complete === false
  if (isBodyBroken && latest.headersSent) return undefined
  const id = refusalOf(error)
  if (isBodyBroken) void turnOf(latest).then(() => latest.headersSent || end(client, id))
  else if (latest && !latest.closed) latest.once('close', () => end(client, id))
  else end(client, id)
  return REFUSALS[id].status
}

/**
 * Refuses CONNECT (RFC 9110 §9.3.6): this is no proxy. Node leaves such a connection to us, with its errors, and with
 * replies that are under way: a client that reads nothing of them for `stallMs` milliseconds is dropped.
 */
export function answerTunnel(client: ClientError, stallMs: number): number | undefined {
  const { socket } = client
  socket.on('error', () => socket.destroy())
  if (socket instanceof Socket) socket.setTimeout(stallMs, () => socket.destroy())
  socket.resume()
  return answerClientError(new Error('CONNECT'), client)
}

/** A request takes too long to arrive. */
export class RequestTimeout extends Error {}

/** Connections that are answered, or will be. What else they send is dropped. */
const closing = new WeakSet<Duplex>()

function refusalOf(error: Error): RefusalId {
  const code = 'code' in error ? error.code : undefined
  if (error instanceof RequestTimeout) return 'request-timeout'
  if (code === 'HPE_INVALID_URL') return 'malformed-target'
  if (code !== 'HPE_HEADER_OVERFLOW') return 'malformed-http'
  const packet = 'rawPacket' in error && error.rawPacket instanceof Uint8Array ? Buffer.from(error.rawPacket) : ''
  return /^[A-Z]+ [^\r\n]*$/.test(packet.toString('latin1')) ? 'target-too-long' : 'headers-too-large'
}

function end({ socket, publicUrl, requestId }: ClientError, id: RefusalId): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const exchange = { method: 'GET', requestId, keepAliveSeconds: undefined }
  const { head, body } = plainReply(refusalReply(refuse(id), publicUrl), exchange)
  socket.cork()
  socket.write(head, 'latin1')
  socket.end(body)
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}
