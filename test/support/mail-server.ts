import { createServer, type Socket } from 'node:net'
import { after } from 'node:test'
import { createSecureContext, TLSSocket } from 'node:tls'
import type { Certificate } from './certificate.ts'
import { listeningPort } from './free-port.ts'

/** A received mail: its envelope, and the unfolded header lines and decoded parts of its content. */
export type ReceivedMail = { from: string; to: string[]; login: string; headers: string[]; parts: string[] }

/** A mail server that records mail; `replies` replaces the replies to commands such as `RCPT`. */
export type MailServer = {
  port: number
  received: ReceivedMail[]
  replies: Record<string, string>
  /** The received commands, by their first four letters. */
  verbs: string[]
  /** The name in the last EHLO. */
  greeting: string
  /** Whether each received mail came over TLS. */
  secured: boolean[]
}

/** Starts a mail server on a free port of 127.0.0.1, with TLS from the start or after STARTTLS if it has a certificate. */
export async function startMailServer(
  certificate?: Certificate,
  { hasStartTls = false, hello = '220 local' } = {},
): Promise<MailServer> {
  const mailServer: MailServer = { port: 0, received: [], replies: {}, verbs: [], greeting: '', secured: [] }
  const sockets = new Set<Socket>()
  const secureContext = certificate && createSecureContext(certificate)
  const server = createServer(socket => {
    sockets.add(socket.on('error', () => undefined))
    const secured = () => new TLSSocket(socket, { isServer: true, secureContext })
    const first = secureContext && !hasStartTls ? secured() : socket
    talk(first, mailServer, hasStartTls ? () => talk(secured(), mailServer) : undefined)
    first.write(`${hello}\r\n`)
  })
  after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  mailServer.port = await listeningPort(server)
  return mailServer
}

/** Speaks SMTP (RFC 5321) without checking the order of commands. */
function talk(socket: Socket, server: MailServer, startTls?: () => void): void {
  let [buffer, isContent] = ['', false]
  let mail = emptyMail()
  const say = (text: string) => void socket.write(`${text}\r\n`)
  const secure = () => {
    say('220 begin')
    socket.removeAllListeners('data')
    startTls?.()
  }
  const take = (line: string) => {
    const verb = line.slice(0, 4).toUpperCase()
    const replaced = server.replies[verb]
    server.verbs.push(verb)
    if (verb === 'EHLO') server.greeting = line.slice(5)
    if (verb === 'MAIL' || verb === 'RCPT') {
      const [, address = ''] = /<([^>]*)>/.exec(line) ?? []
      if (verb === 'MAIL') mail = { ...emptyMail(), login: mail.login, from: address }
      else mail.to.push(address)
    }
    if (verb === 'AUTH')
      mail.login = Buffer.from(line.split(' ')[2] ?? '', 'base64')
        .toString()
        .replaceAll('\0', ' ')
    if (replaced !== undefined) return say(replaced)
    if (startTls && verb === 'EHLO') return say('250-local\r\n250 STARTTLS')
    if (verb === 'EHLO') return say('250-local\r\n250 AUTH PLAIN')
    if (startTls && verb === 'STAR') return secure()
    if (verb === 'DATA') isContent = true
    say(verb === 'DATA' ? '354 go on' : verb === 'QUIT' ? '221 bye' : verb === 'AUTH' ? '235 welcome' : '250 ok')
  }
  const receive = (chunk: Buffer) => {
    buffer += chunk.toString('latin1')
    for (;;) {
      const mark = isContent ? '\r\n.\r\n' : '\r\n'
      const end = buffer.indexOf(mark)
      if (end < 0) return
      const text = buffer.slice(0, end)
      buffer = buffer.slice(end + mark.length)
      if (!isContent) take(text)
      else {
        isContent = false
        server.received.push({ ...mail, ...contentOf(text) })
        server.secured.push(socket instanceof TLSSocket)
        say(server.replies.content ?? '250 accepted')
      }
    }
  }
  socket.on('data', receive).on('error', () => undefined)
}

function emptyMail(): Pick<ReceivedMail, 'from' | 'to' | 'login'> {
  return { from: '', to: [], login: '' }
}

function contentOf(content: string): Pick<ReceivedMail, 'headers' | 'parts'> {
  const { headers, body } = split(content)
  const [, boundary] = /boundary="([^"]+)"/.exec(headers.join('\n')) ?? []
  const parts = boundary === undefined ? [content] : body.split(`--${boundary}`).slice(1, -1)
  return { headers, parts: parts.map(part => decoded(part.replace(/^\r\n/, ''))) }
}

function split(content: string): { headers: string[]; body: string } {
  const [head = ''] = content.split('\r\n\r\n', 1)
  const lines = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')
  const headers = lines.map(line => line.replaceAll(/\?= =\?/g, '?==?').replaceAll(ENCODED_WORD, decodeWord))
  return { headers, body: content.slice(head.length + 4) }
}

/** RFC 2047 §2 */
const ENCODED_WORD = /=\?utf-8\?([bq])\?([^?]*)\?=/gi

function decodeWord(_word: string, kind: string, text: string): string {
  return kind.toLowerCase() === 'b'
    ? Buffer.from(text, 'base64').toString()
    : fromQuotedPrintable(text.replaceAll('_', ' '))
}

function decoded(part: string): string {
  const { headers, body } = split(part)
  const coding = headers.find(line => /^content-transfer-encoding:/i.test(line)) ?? ''
  const text = /base64/i.test(coding) ? Buffer.from(body, 'base64').toString() : body
  return /quoted/i.test(coding) ? fromQuotedPrintable(text) : text
}

function fromQuotedPrintable(text: string): string {
  const bytes = text
    .replaceAll('=\r\n', '')
    .replaceAll(/=([\dA-F]{2})/gi, (_, hex) => String.fromCharCode(Number(`0x${hex}`)))
  return Buffer.from(bytes, 'latin1').toString().replaceAll('\r\n', '\n')
}
