import { isOwnHost, isThisMachine } from '../exchange/host-name.ts'
import type { Reply, Request } from '../exchange/message.ts'
import { protocolError } from './protocol-message.ts'

/**
 * Refuses a request under a foreign host name (421) or from a foreign website (403), as the protocol requires: a hostile
 * site could point its own name at this machine (DNS rebinding). Programs send no `Origin`.
 */
export function refuseForeign(
  { publicUrl, origins }: { publicUrl: string; origins: ReadonlySet<string> },
  { headers: { host, origin } }: Pick<Request, 'headers'>,
): Reply | undefined {
  const own = new URL(publicUrl)
  if (!isOwnHost(host, own.hostname))
    return protocolError(421, -32000, 'This address answers only under its public URL, localhost and IP addresses.')
  if (origin === undefined || origin === own.origin || origins.has(origin)) return undefined
  if (URL.canParse(origin) && isThisMachine(new URL(origin).hostname)) return undefined
  return protocolError(
    403,
    -32000,
    'Pages of this origin may not call this address. Its operator can allow it with --cors.',
  )
}
