import { BlockList, isIP } from 'node:net'
import type { Request } from '../../exchange/message.ts'
import type { Network } from '../../settings.ts'
import type { Service } from '../service.ts'
import { addressIn, type Hop, hopsOf, sameAddress } from './forwarded.ts'

/**
 * Has a service see its clients through proxies in these networks: by the right-most address that is not one of theirs,
 * and by https where the proxy that it reached says so. Of other proxies nothing is believed, and of none a host.
 */
export function behindProxies(networks: readonly Network[], service: Service): Service {
  if (networks.length === 0) return service
  const list = new BlockList()
  for (const { address, prefix, family } of networks) list.addSubnet(address, prefix, family)
  const isProxy = (address: string) => isIP(address) !== 0 && list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')
  return request => service({ ...request, ...clientOf(request, isProxy) })
}

type Client = { address: string; isHttps: boolean }

/** If two lists of hops lead to different clients, neither is believed: a client may have written one of them. */
function clientOf({ address, headers }: Request, isProxy: (address: string) => boolean): Client {
  const peer = sameAddress(address)
  if (!isProxy(peer)) return { address: peer, isHttps: false }
  const [client, ...others] = hopsOf(headers).map(hops => clientAfter(peer, hops, isProxy))
  const isAgreed = others.every(other => other.address === client?.address)
  return client && isAgreed ? client : { address: peer, isHttps: false }
}

/** What each proxy says is believed until one names what is no address, or the address of no known proxy. */
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
