import { once } from 'node:events'
import { connect, type LookupFunction, type Socket } from 'node:net'
import { hostname } from 'node:os'
import { errorCode, errorMessage } from '../base/error.ts'
import { field, lazy } from '../base/object.ts'
import { reasonOf } from '../base/reason.ts'
import { isThisMachine } from '../base/server-url.ts'
import type { SmtpAddress } from '../settings/shared-addresses.ts'
import { type OutgoingOptions, permittedAddresses } from './outgoing-fetch.ts'
import { forbiddenTargets, type PublicTargets } from './public-targets.ts'

/** A mail to one address. `id` is unique; `from` names the sender; `unsubscribe` is an https address (RFC 8058). */
export type Mail = {
  id: string
  from: string
  to: string
  subject: string
  text: string
  html: string
  unsubscribe: string
}

/** The server for mail. `send` resolves once the server has accepted a mail. */
export type Mailer = { send: (mail: Mail) => Promise<void>; check: () => Promise<void> }

export type SmtpOptions = {
  smtp: SmtpAddress
  password: string | undefined
  targets: PublicTargets
  resolve?: OutgoingOptions['resolve']
}

/**
 * Opens the server that the operator named, with the rules of other requests: private addresses need permission, except
 * this machine's; TLS is required, except on this machine; each exchange has a limit on its time.
 */
export function openMailer(options: SmtpOptions): Mailer {
  const transport = lazy(() => openTransport(options))
  return {
    send: async mail => void (await (await transport()).sendMail(messageOf(mail, options.smtp))),
    check: async () => void (await (await transport()).verify()),
  }
}

async function openTransport({ smtp, password, targets, resolve }: SmtpOptions) {
  const { host, port, isSecure, user } = smtp
  const isLocal = isThisMachine(host) || host === '::1'
  const { createTransport } = await import('nodemailer')
  return createTransport({
    host,
    port,
    name: greetingName(smtp, targets.publicUrl),
    secure: isSecure,
    requireTLS: !isLocal,
    // Mail servers on this machine often have self-signed certificates.
    tls: { rejectUnauthorized: isSecure || !isLocal },
    ...(user !== '' && { auth: { user, pass: password ?? '' }, forceAuth: true }),
    getSocket: (_options, callback) =>
      void connectTo(smtp, isLocal ? () => false : forbiddenTargets(targets), resolve).then(
        connection => callback(null, { connection }),
        error => callback(error),
      ),
  })
}

/** A mail with its headers. As an object, an address is never parsed as a list. */
function messageOf({ id, from: name, to, subject, text, html, unsubscribe }: Mail, { from }: SmtpAddress) {
  return {
    messageId: `<${id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
    from: { name, address: from },
    to: { name: '', address: to },
    subject,
    text,
    html,
    headers: {
      'Auto-Submitted': 'auto-generated',
      'List-Unsubscribe': `<${unsubscribe}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  }
}

/** The domain for EHLO (RFC 5321 §4.1.1.1): of this machine if its name has a dot, else of the service or the sender. */
export function greetingName(smtp: SmtpAddress | undefined, publicUrl: string, machine = hostname()): string {
  const names = [machine, new URL(publicUrl).hostname, smtp?.from.replace(/^.*@/, '') ?? '']
  return names.find(name => /^[\w-]+(?:\.[\w-]+)*\.[a-z][\w-]*$/i.test(name)) ?? '[127.0.0.1]'
}

/** For a whole exchange, in milliseconds. */
const MAX_MS = 20_000

/** Connects to one of the permitted addresses of a host. The socket fails when the time for the exchange is over. */
async function connectTo(
  { host, port, isSecure }: SmtpAddress,
  isForbidden: (hostname: string, address: string) => boolean,
  resolve: SmtpOptions['resolve'],
): Promise<Socket> {
  const url = new URL(`${isSecure ? 'smtps' : 'smtp'}://${host.includes(':') ? `[${host}]` : host}:${port}`)
  const addresses = await permittedAddresses(url, { isForbidden }, resolve)
  const lookup: LookupFunction = (_name, _options, done) => done(null, addresses)
  const socket = connect({ host, port, autoSelectFamily: true, lookup })
  const late = new Error(`no answer within ${MAX_MS / 1000} seconds`)
  const timer = setTimeout(() => socket.destroy(late), MAX_MS)
  socket.once('close', () => clearTimeout(timer))
  await once(socket, 'connect')
  return socket
}

/** A failure without any address, as logs and the store may have it: `EENVELOPE 550`. */
export function smtpProblem(error: unknown): { code: string; isFinal: boolean } {
  const status = Number(field(error, 'responseCode') ?? 0)
  const code = errorCode(error)
  // The server refuses this mail or its reader, and not the service (RFC 5321 §4.2.1).
  const isFinal = status >= 500 && (code === 'EMESSAGE' || field(error, 'command') === 'RCPT TO')
  return { code: status > 0 ? `${code} ${status}` : code, isFinal }
}

/** All lines of the server's reply after its command, or else the message of the error, on one line without secrets. */
export function smtpReply(error: unknown): string {
  const reply = field(error, 'response')
  const said = reply ? `${field(error, 'command')} got ${reply}` : errorMessage(error)
  // `reasonOf` cuts long strings, so it gets pieces of at most 181 characters, cut between words if possible.
  return (said.match(/\S.{0,180}(?!\S)|\S{1,180}/g) ?? []).map(each => reasonOf(each)).join(' ')
}

/** What may help at the step that failed, by the codes of the error and its command. */
export function smtpAdvice(error: unknown, greeting: string): string {
  // Such as `EAUTH  AUTH PLAIN`, `ESOCKET ETLS CONN` or `EPROTOCOL  EHLO`.
  const step = [errorCode(error), field(error, 'originalCode'), field(error, 'command')].join(' ')
  if (/AUTH/.test(step)) return 'check the user in --smtp, and HOUSESTYLE_SMTP_PASSWORD'
  if (/TLS|SSL|CERT|SIGNATURE/.test(step)) return 'check its certificate and port: smtps:// is TLS from the start'
  // EHLO or HELO.
  if (!/LO$|PROTOCOL/.test(step)) return 'check the host and port in --smtp'
  return `it refuses this machine, which greets as ${greeting}: ask its operator, or set --public-url to its own name`
}
