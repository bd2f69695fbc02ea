import { isIP } from 'node:net'
import { groupsOf, withoutQuery } from './text.ts'

/**
 * Splits a URL with several hosts into one URL per host, in order: `postgres://a,b:5433/x` becomes `postgres://a/x` and
 * `postgres://b:5433/x`. Undefined if one of them is invalid.
 */
export function urlsOfHosts(url: string): string[] | undefined {
  const [, scheme = '', credentials = '', hosts = '', rest = ''] = groupsOf(PARTS, url)
  const urls = hosts.split(',').map(host => `${scheme}${credentials}${host}${rest}`)
  return urls.every(each => URL.canParse(each)) ? urls : undefined
}

/** The groups: `postgres://`, `user:password@` (may be empty), `host:port,host`, and the rest from `/`, `?` or `#` on. */
const PARTS = /^([a-z]+:\/\/)((?:[^/?#]*@)?)([^/?#@]*)(.*)$/i

/** An address with its scheme in lower case, which is equal (RFC 3986 §3.1); other programs compare it as it is. */
export function lowerScheme(address: string): string {
  return address.replace(/^[a-z][a-z\d+.-]*:\/\//i, scheme => scheme.toLowerCase())
}

/** An address with scheme and host in lower case, no default port, and at least `/` as its path, which stays as written. */
export function canonicalOrigin(address: string): string {
  return address.replace(ORIGIN, (start, origin) => (URL.canParse(origin) ? new URL(origin).href : start))
}

/** `https://ACME.com:443/`: scheme and host without credentials, and the slash after it. */
const ORIGIN = /^(https?:\/\/[^/?#@\\\s]+)(?![^/?#])\/?/i

/** An address without password and parameters, which may contain one. */
export function withoutPassword(database: string): string {
  // Then, `postgres://user:a/b@host/x` becomes `postgres://user@host/x`.
  return withoutQuery(database).replace(/^([a-z]+:\/\/[^:@/]*):[^/]*@/i, '$1@')
}

/**
 * Hides the user name and password of an address, which may contain any character: everything from its first `//` to its
 * last `@`, or in `user:password@host:path`, which has no scheme, from its start.
 */
export function withoutCredentials(text: string): string {
  return text.replace(/\/\/(?<!\/\/.*?\/\/).*@/gs, '//…@').replace(/^(?![a-z][a-z\d+.-]*:\/\/)[^@:]*:.*@/is, '…@')
}

/**
 * Whether the name or password in an address seems to have special characters that are not percent-encoded (RFC 3986
 * §3.2.1): everything before its last `@` belongs to them, except an `@` in parameters.
 */
export function hasRawPassword(url: string): boolean {
  const [, credentials = ''] = groupsOf(/^[a-z][a-z\d+.-]*:\/\/(.*)@/is, url)
  return /[@/?#]|%(?![\da-f]{2})/i.test(credentials)
}

/** The fix for such an address, as the end of a sentence. */
export const ENCODE_PASSWORD =
  'percent-encode special characters in the password: @ is %40, / is %2F, # is %23, ? is %3F and % is %25'

/**
 * Whether a host name in lower case always means this machine: a loopback address, `localhost` or a name below it (RFC
 * 6761 §6.3), also with a final dot.
 */
export function isThisMachine(name: string): boolean {
  return /^(?:(?:.+\.)?localhost\.?|\[::1\])$/.test(name) || (isIP(name) === 4 && name.startsWith('127.'))
}
