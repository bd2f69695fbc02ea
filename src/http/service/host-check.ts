import { isIP } from 'node:net'
import { hasBearer, type Reply, type Request } from '../../exchange/message.ts'
import { json, text } from '../../exchange/reply.ts'
import type { Service } from './service.ts'

/**
 * Makes a service answer only to IP addresses, to `localhost`, and to the name that it listens on. A hostile site may
 * point its own name at this machine, to read what is served (DNS rebinding).
 */
export function withHostCheck(own: string, service: Service): Service {
  return request => (isOwnHost(own, request) ? service(request) : misdirected(request))
}

/** A client that is not a browser may send no Host. */
function isOwnHost(own: string, { headers }: Request): boolean {
  const name = (headers.host ?? '').toLowerCase().replace(/:\d*$/, '')
  const isLocal = name === '' || name === 'localhost' || name.endsWith('.localhost')
  return isLocal || name === own.toLowerCase() || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0
}

function misdirected(request: Request): Reply {
  if (!hasBearer(request)) return text(`${MISDIRECTED}\n`, { status: 421 })
  return json({ error: 'invalid_request', error_description: MISDIRECTED }, { status: 421 })
}

const MISDIRECTED =
  'housestyle dev answers at localhost and at IP addresses; for another name, start it with --host and that name.'
