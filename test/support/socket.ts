import { connect, type Socket } from 'node:net'
import { PATIENCE_MS } from './patience.ts'

/** A raw reply from a connection. */
export type RawReply = { status: number; fields: readonly (readonly [name: string, value: string])[]; body: string }

/** Options: `pauseMs` is the pause after each piece; `keepOpen` leaves our side open; `isHead` expects no bodies. */
export type Sending = { pauseMs?: number; keepOpen?: boolean; isHead?: boolean }

/**
 * Sends bytes to a local port, and reads until the other side closes. Returns all replies; rejects if they are
 * incomplete, or if the other side does not close within 20 seconds.
 */
export async function exchange(
  port: number,
  pieces: string | Uint8Array | readonly (string | Uint8Array)[],
  { pauseMs = 0, keepOpen = false, isHead = false }: Sending = {},
): Promise<RawReply[]> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  const reading = readAll(socket)
  for (const piece of typeof pieces === 'string' || pieces instanceof Uint8Array ? [pieces] : pieces) {
    if (socket.writable) socket.write(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece)
    if (pauseMs > 0) await new Promise(resolve => setTimeout(resolve, pauseMs))
  }
  if (!keepOpen) socket.end()
  return readReplies(await reading, isHead)
}

/** A request with a Host field. */
export function requestText(line: string, fields: readonly string[] = [], body = ''): string {
  return `${[`${line} HTTP/1.1`, 'Host: brand.test', ...fields].join('\r\n')}\r\n\r\n${body}`
}

function readAll(socket: Socket): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => socket.destroy(new Error('the connection was not closed')), PATIENCE_MS)
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.once('error', reject)
    socket.once('end', () => {
      clearTimeout(limit)
      socket.end()
      resolve(Buffer.concat(chunks))
    })
  })
}

/** Splits the bytes of a connection into replies by their `Content-Length`. */
export function readReplies(bytes: Buffer, isHead: boolean): RawReply[] {
  const replies: RawReply[] = []
  let rest = bytes.toString('latin1')
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n')
    if (end === -1) throw new Error(`a reply is cut off: ${JSON.stringify(rest.slice(0, 200))}`)
    const [line = '', ...lines] = rest.slice(0, end).split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1])
    const fields = lines.map(each => [each.slice(0, each.indexOf(':')), each.slice(each.indexOf(':') + 2)] as const)
    const length = fields.find(([name]) => name.toLowerCase() === 'content-length')?.[1] ?? '0'
    const bodyLength = isHead || status === 304 ? 0 : Number(length)
    const body = rest.slice(end + 4, end + 4 + bodyLength)
    if (Number.isNaN(status) || body.length < bodyLength) throw new Error(`a reply is incomplete: ${line}`)
    if (status >= 200) replies.push({ status, fields, body: Buffer.from(body, 'latin1').toString('utf8') })
    rest = rest.slice(end + 4 + bodyLength)
  }
  return replies
}
