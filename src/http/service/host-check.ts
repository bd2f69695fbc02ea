import { isOwnHost } from '../../exchange/host-name.ts'
import { hasBearer, type Reply, type Request } from '../../exchange/message.ts'
import { json, text } from '../../exchange/reply.ts'
import type { Service } from './service.ts'

/**
 * Restricts a service to IP addresses, `localhost`, and the name that it listens on. A hostile site could point its own
 * name at this machine to read the content (DNS rebinding).
 */
export function withHostCheck(own: string, service: Service): Service {
  return request => (isOwnHost(request.headers.host, own) ? service(request) : refuseHost(request))
}

function refuseHost(request: Request): Reply {
  if (!hasBearer(request)) return text(`${MISDIRECTED}\n`, { status: 421 })
  return json({ error: 'invalid_request', error_description: MISDIRECTED }, { status: 421 })
}

const MISDIRECTED =
  'housestyle dev only answers at localhost and at IP addresses. To use another name, start it with --host and that name.'
