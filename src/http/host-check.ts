import { isIP } from 'node:net'
import { type Request, requestHeader } from '../exchange/message.ts'
import { text } from '../exchange/reply.ts'
import type { Service } from './service.ts'

/**
 * Has a service on somebody's own machine answer only to addresses, to `localhost`, and to the name that it was told to
 * listen on. Any other name may be that of a hostile site, which has it lead here to read what is served (DNS rebinding).
 */
export function withHostCheck(own: string, service: Service): Service {
  return request => (isOwnHost(own, request) ? service(request) : MISDIRECTED)
}

/** What is no browser may say no host at all. */
function isOwnHost(own: string, { headers }: Request): boolean {
  const name = (requestHeader(headers, 'host') ?? '').toLowerCase().replace(/:\d*$/, '')
  const isLocal = name === '' || name === 'localhost' || name.endsWith('.localhost')
  return isLocal || name === own.toLowerCase() || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0
}

const MISDIRECTED = text(
  'housestyle dev answers at localhost and at IP addresses; for another name, start it with --host and that name.\n',
  { status: 421 },
)
