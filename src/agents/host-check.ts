import { isIP } from 'node:net'
import type { Reply, Request } from '../exchange/message.ts'
import { protocolError } from './protocol-message.ts'

/**
 * Refuses a request under a foreign host name (421) or from a foreign website (403), as the protocol requires: a hostile
 * site could point its own name at this machine (DNS rebinding). Programs send no `Origin`.
 */
export function refuseForeign(
  { publicUrl, origins }: { publicUrl: string; origins: ReadonlySet<string> },
  { headers: { host = '', origin } }: Pick<Request, 'headers'>,
): Reply | undefined {
  const own = new URL(publicUrl)
  const name = host.toLowerCase().replace(/:\d*$/, '')
  if (name !== '' && name !== own.hostname && !isLocal(name) && isIP(unbracketed(name)) === 0)
    return protocolError(421, -32000, 'This address answers only under its public URL, localhost and IP addresses.')
  if (origin === undefined || origin === own.origin || origins.has(origin)) return undefined
  const from = URL.canParse(origin) ? new URL(origin).hostname : ''
  if (isLocal(from) || unbracketed(from) === '127.0.0.1' || unbracketed(from) === '::1') return undefined
  return protocolError(
    403,
    -32000,
    'Pages of this origin may not call this address. Its operator can allow it with --cors.',
  )
}

function isLocal(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost')
}

function unbracketed(name: string): string {
  return name.replace(/^\[(.*)\]$/, '$1')
}
