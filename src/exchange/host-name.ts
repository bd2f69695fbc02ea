import { isIP } from 'node:net'

/**
 * Whether a request may have this `Host`: the own name, this machine, or an IP address. A hostile site could point its
 * own name at this machine (DNS rebinding). Clients other than browsers may omit the field.
 */
export function isOwnHost(host: string | undefined, own: string): boolean {
  const name = (host ?? '').toLowerCase().replace(/:\d*$/, '')
  return name === '' || name === own.toLowerCase() || isThisMachine(name) || isIP(withoutBrackets(name)) !== 0
}

/** Whether a host name in lower case always means this machine (RFC 6761 §6.3). */
export function isThisMachine(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost') || name === '127.0.0.1' || name === '[::1]'
}

/** Returns the address in a host name that is an IPv6 address, and any other host name unchanged. */
export function withoutBrackets(name: string): string {
  return name.replace(/^\[(.*)\]$/, '$1')
}
