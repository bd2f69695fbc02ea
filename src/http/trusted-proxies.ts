import { BlockList, isIP } from 'node:net'
import type { Request } from '../exchange/message.ts'
import type { Network } from '../settings.ts'
import { addressIn, hopsOf, sameAddress } from './forwarded.ts'
import type { Service } from './service.ts'

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

/** What each proxy says is believed until one names an address that is none, or that of no known proxy. */
function clientOf(
  { address: peer, headers }: Request,
  isProxy: (address: string) => boolean,
): Pick<Request, 'address' | 'isHttps'> {
  const client = { address: sameAddress(peer), isHttps: false }
  if (!isProxy(client.address)) return client
  for (const { from, isHttps } of hopsOf(headers)) {
    client.isHttps = isHttps
    const address = from === undefined ? undefined : addressIn(from)
    if (address === undefined) break
    client.address = address
    if (!isProxy(address)) break
  }
  return client
}
