import type { Duplex } from 'node:stream'
import { REFUSALS, type RefusalId, refusalReply, refuse } from '../contract/refusals.ts'

/** Answers bytes that are not a request in the API's form, and closes. */
export function answerBrokenConnection(error: Error, socket: Duplex, publicUrl: string): void {
  if ('code' in error && error.code === 'ECONNRESET') socket.destroy()
  else end(socket, refusalOf(error), publicUrl)
}

/** Answers CONNECT (RFC 9110 §9.3.6): this is no proxy. */
export function answerTunnel(socket: Duplex, publicUrl: string): void {
  end(socket, 'malformed-http', publicUrl)
}

function refusalOf(error: Error): RefusalId {
  const code = 'code' in error ? error.code : undefined
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request-timeout'
  if (code !== 'HPE_HEADER_OVERFLOW') return 'malformed-http'
  const packet =
    'rawPacket' in error && error.rawPacket instanceof Uint8Array ? Buffer.from(error.rawPacket) : undefined
  return packet && !packet.includes('\r\n') ? 'target-too-long' : 'headers-too-large'
}

function end(socket: Duplex, id: RefusalId, publicUrl: string): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const { status, headers, body } = refusalReply(refuse(id), publicUrl)
  const text = body instanceof Uint8Array ? Buffer.from(body).toString('utf8') : ''
  const fields = [...headers, 'Date', new Date().toUTCString(), 'Content-Length', String(Buffer.byteLength(text))]
  const lines = fields.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${fields[at + 1]}`] : []))
  socket.end(`HTTP/1.1 ${status} ${REFUSALS[id].error}\r\n${lines.join('\r\n')}\r\nConnection: close\r\n\r\n${text}`)
}
