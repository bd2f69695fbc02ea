import { reasonOf } from '../base/reason.ts'
import { isOwnHost, isThisMachine } from '../exchange/ip-address.ts'
import type { Reply, Request } from '../exchange/message.ts'
import type { Audit } from '../telemetry/access-event.ts'
import { protocolError } from './protocol-message.ts'

type ForeignContext = { publicUrl: string; origins: ReadonlySet<string>; record: Audit }

/** Refuses a foreign host name (421) or website (403), against DNS rebinding. Programs send no `Origin`. */
export function refuseForeign(
  { publicUrl, origins, record }: ForeignContext,
  { headers: { host, origin }, address }: Request,
): Reply | undefined {
  const own = new URL(publicUrl)
  if (!isOwnHost(host, own.hostname)) {
    const received = reasonOf(host ?? '').slice(0, MAX_HOST)
    record({ event: 'agent-refused', reason: 'host', status: 421, host: received, address })
    return protocolError(421, -32000, `${FOREIGN_HOST}, and received the Host "${received}". ${PASS_HOST}`)
  }
  if (origin === undefined || origin === own.origin || origins.has(origin)) return undefined
  if (URL.canParse(origin) && isThisMachine(new URL(origin).hostname)) return undefined
  return protocolError(
    403,
    -32000,
    'Pages of this origin may not call this address. Its operator can allow it with --cors.',
  )
}

const MAX_HOST = 100
const FOREIGN_HOST = 'This address answers only under its public URL, localhost and IP addresses'
const PASS_HOST =
  'Ask its operator to let the proxy pass the public Host (nginx: proxy_set_header Host $host), or to correct --public-url.'
