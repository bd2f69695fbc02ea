import { canonicalAddress, isWithin } from '../../exchange/ip-address.ts'
import type { Request } from '../../exchange/message.ts'
import type { Network } from '../../settings/values.ts'
import type { Service } from '../service/service.ts'
import { addressIn, FORWARDING, type Hop, hopsOf } from './forwarded.ts'

/**
 * Finds the clients behind proxies in these networks: the client is the rightmost address outside them, and used https
 * if its nearest proxy says so. Other proxies are not trusted, and no proxy may set the host.
 */
export function behindProxies(networks: readonly Network[], service: Service): Service {
  if (networks.length === 0) return service
  const isProxy = isWithin(networks)
  return request => {
    if (isForwarded(request)) return service({ ...request, ...clientOf(request, isProxy) })
    const address = canonicalAddress(request.address)
    return service(address === request.address ? request : { ...request, address })
  }
}

function isForwarded({ headers }: Request): boolean {
  return FORWARDING.some(name => headers[name] !== undefined)
}

type Client = { address: string; isHttps: boolean }

/** If two hop lists give different clients, neither is trusted: a client may have written one of them. */
function clientOf({ address, headers }: Request, isProxy: (address: string) => boolean): Client {
  const peer = canonicalAddress(address)
  if (!isProxy(peer)) return { address: peer, isHttps: false }
  const [client, ...others] = hopsOf(headers).map(hops => clientAfter(peer, hops, isProxy))
  const isAgreed = others.every(other => other.address === client?.address)
  return client && isAgreed ? client : { address: peer, isHttps: false }
}

/** Follows the proxies until one names an invalid address, or one that is not a known proxy. */
function clientAfter(peer: string, hops: readonly Hop[], isProxy: (address: string) => boolean): Client {
  const client = { address: peer, isHttps: false }
  for (const { from, isHttps } of hops) {
    client.isHttps = isHttps
    const address = from === undefined ? undefined : addressIn(from)
    if (address === undefined) break
    client.address = address
    if (!isProxy(address)) break
  }
  return client
}
