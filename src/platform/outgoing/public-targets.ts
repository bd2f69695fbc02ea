import { isIP, isIPv4 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { isThisMachine } from '../base/server-url.ts'
import { canonicalAddress, isWithin, withoutBrackets } from '../exchange/ip-address.ts'
import type { Network } from '../settings/values.ts'

/** The addresses that outsiders may name, beyond public ones of other machines. */
export type PublicTargets = {
  allow: readonly Network[]
  /** The service's own public URL, which outsiders may not name. */
  publicUrl: string
  ownAddresses?: () => readonly string[]
}

/**
 * Makes a check whether a host name with this IP address is forbidden to outsiders: the address is special or this
 * machine's, or the name is the service's own, and no permitted network contains the address.
 */
export function forbiddenTargets({ allow, publicUrl, ownAddresses = interfaceAddresses }: PublicTargets) {
  const isAllowed = isWithin(allow)
  const ownName = withoutBrackets(new URL(publicUrl).hostname)
  return (hostname: string, address: string): boolean => {
    const target = embeddedAddress(address)
    if (isAllowed(target)) return false
    return hostname.replace(/\.$/, '') === ownName || isSpecial(target) || ownAddresses().includes(target)
  }
}

/** Makes a check of host names as written: IP addresses, and names that always mean this machine. */
export function forbiddenHosts(targets: PublicTargets) {
  const isForbidden = forbiddenTargets(targets)
  return (hostname: string): boolean => {
    const name = withoutBrackets(hostname.replace(/\.$/, ''))
    const address = isIP(name) === 0 && isThisMachine(name) ? '127.0.0.1' : name
    return isIP(address) !== 0 && isForbidden(name, address)
  }
}

/** IPv6-only networks reach IPv4 servers through NAT64 (RFC 6052 §2.1); what counts is the IPv4 address. */
function embeddedAddress(address: string): string {
  return canonicalAddress(canonicalAddress(address).replace(/^64:ff9b::/, '::ffff:'))
}

function interfaceAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap(each => each?.map(({ address }) => canonicalAddress(address)) ?? [])
}

function isSpecial(address: string): boolean {
  return isReserved(address) || !(isIPv4(address) || isGlobalUnicast(address))
}

/** The only IPv6 range with public addresses (RFC 4291 §2.4 and its IANA registry). */
const isGlobalUnicast = isWithin([{ address: '2000::', prefix: 3, family: 'ipv6' }])

/**
 * The IANA special-purpose registries (RFC 6890): private, shared, loopback, link-local, documentation, benchmark and
 * reserved ranges, multicast, and ranges of IPv6 that embed IPv4 addresses (Teredo, 6to4).
 */
const isReserved = isWithin([
  ...networks('ipv4', '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24'),
  ...networks('ipv4', '192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24'),
  ...networks('ipv4', '198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3'),
  ...networks('ipv6', '2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20'),
])

function networks(family: Network['family'], list: string): Network[] {
  return list.split(' ').map(network => {
    const [address = '', prefix] = network.split('/')
    return { address, prefix: Number(prefix), family }
  })
}

/** Whether the operator may name an address: https, or http on this machine, without credentials and fragment. */
export function isTrustworthy(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, username, password, hash } = new URL(address)
  if (username !== '' || password !== '' || hash !== '') return false
  return protocol === 'https:' || (protocol === 'http:' && isThisMachine(hostname))
}
