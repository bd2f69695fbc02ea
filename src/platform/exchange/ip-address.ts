import { BlockList, isIP, isIPv6 } from 'node:net'
import { isThisMachine } from '../base/server-url.ts'
import { groupsOf } from '../base/text.ts'

/** Returns the canonical form of an IP address: IPv4-mapped IPv6 becomes IPv4, and a zone is removed. */
export function canonicalAddress(address: string): string {
  if (!isIPv6(address)) return address
  // A URL has the shortest form in lower case: `2001:db8::1`, `::ffff:c000:201`.
  const short = new URL(`http://[${address.replace(/%.*$/s, '')}]`).hostname.slice(1, -1)
  const [, high, low] = groupsOf(/^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/, short)
  if (high === undefined || low === undefined) return short
  const bytes = [high, low].flatMap(half => [Number.parseInt(half, 16) >> 8, Number.parseInt(half, 16) & 0xff])
  return bytes.join('.')
}

/**
 * Returns the address range of one provider customer: an IPv4 address, or the /64 network of an IPv6 address (RFC 4291
 * §2.5.4). Any other string is unchanged.
 */
export function networkOf(address: string): string {
  const canonical = canonicalAddress(address)
  if (!isIPv6(canonical)) return canonical
  // `2001:db8::1` becomes `2001:db8`, five zeros and `1`: eight groups, of which four are the network.
  const [start = [], end = []] = canonical.split('::').map(part => part.split(':').filter(Boolean))
  const zeros = Array<string>(8 - start.length - end.length).fill('0')
  return `${start.concat(zeros, end).slice(0, 4).join(':')}::/64`
}

/** Makes a check whether a canonical address is in one of these networks. */
export function isWithin(
  networks: readonly { address: string; prefix: number; family: 'ipv4' | 'ipv6' }[],
): (address: string) => boolean {
  const list = new BlockList()
  for (const { address, prefix, family } of networks) list.addSubnet(address, prefix, family)
  return address => isIP(address) !== 0 && list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')
}

/**
 * Whether a request may have this `Host`: the own name, this machine, or an IP address. A hostile site could point its
 * own name at this machine (DNS rebinding). Clients other than browsers may omit the field.
 */
export function isOwnHost(host: string | undefined, own: string): boolean {
  // Without a final dot and the port: `localhost.:8080`.
  const name = (host ?? '').toLowerCase().replace(/\.?(?::\d*)?$/, '')
  return name === '' || name === own.toLowerCase() || isThisMachine(name) || isIP(withoutBrackets(name)) !== 0
}

/** Returns the address in a host name that is an IPv6 address, and any other host name unchanged. */
export function withoutBrackets(name: string): string {
  return name.replace(/^\[(.*)\]$/, '$1')
}
