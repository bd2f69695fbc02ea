import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { REFUSALS, type RefusalId, refusalReply, refuse } from '../contract/refusals.ts'
import { LINGER_MS, turnOf } from './connections/connections.ts'
import { plainReply } from './plain/plain-reply.ts'

/** A connection with bytes that are not a request, and the data for its reply. */
export type ClientError = {
  socket: Duplex
  /** The reply to the last readable request on this connection. */
  latest: ServerResponse | undefined
  publicUrl: string
  requestId: string
}

/** Answers malformed bytes after the replies in progress, and closes. Returns the status, if a reply is sent. */
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
 * Refuses CONNECT (RFC 9110 §9.3.6), because this is not a proxy. Node passes such a connection to us, including its
 * errors and replies in progress. Drops a client that reads nothing for `stallMs` milliseconds.
 */
export function answerTunnel(client: ClientError, stallMs: number): number | undefined {
  const { socket } = client
  socket.on('error', () => socket.destroy())
  if (socket instanceof Socket) socket.setTimeout(stallMs, () => socket.destroy())
  socket.resume()
  return answerClientError(new Error('CONNECT'), client)
}

export class RequestTimeout extends Error {}

/** Connections that are closing. Further input from them is discarded. */
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
