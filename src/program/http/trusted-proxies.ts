import { isIPv4, isIPv6 } from 'node:net'
import { groupsOf } from '#platform/base/text.ts'
import { canonicalAddress, isWithin } from '#platform/exchange/ip-address.ts'
import type { Request } from '#platform/exchange/message.ts'
import type { RequestField, RequestHeaders } from '#platform/exchange/request-fields.ts'
import type { Network } from '#platform/settings/values.ts'
import type { Service } from './service/service.ts'

/**
 * Finds the clients behind proxies in these networks: the client is the rightmost address outside them, and used https
 * if its nearest proxy says so. Other proxies are not trusted, and no proxy may set the host (decisions/0192).
 */
export function behindProxies(networks: readonly Network[], service: Service): Service {
  if (networks.length === 0) return service
  const isProxy = isWithin(networks)
  return request => {
    const isForwarded = FORWARDING.some(name => request.headers[name] !== undefined)
    if (isForwarded) return service({ ...request, ...clientOf(request, isProxy) })
    const address = canonicalAddress(request.address)
    return service(address === request.address ? request : { ...request, address })
  }
}

/** Returns a function that finds the client address of a request, as the service behind these proxies does. */
export function clientAddresses(networks: readonly Network[]): (request: Request) => string {
  const isProxy = isWithin(networks)
  return request => clientOf(request, isProxy).address
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

/**
 * Follows the hops, nearest first, until one names an invalid address, or one that is not a trusted proxy: the client.
 * Behind the trusted proxies 10.0.0.1 and 10.0.0.2, `X-Forwarded-For: 6.6.6.6, 5.5.5.5, 10.0.0.2` gives 5.5.5.5.
 */
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

/** A proxy's information about a request: its source address, as written by the proxy, and whether it used https. */
export type Hop = { from: string | undefined; isHttps: boolean }

/** The fields in which proxies name the source of a request. */
const FORWARDING = ['forwarded', 'x-forwarded-for', 'x-forwarded-proto'] as const

/**
 * Lists the proxies that forwarded a request, nearest first: from `Forwarded` (RFC 7239) if present, else from
 * `X-Forwarded-For` and `X-Forwarded-Proto`. Any client can write either, so trust only known proxies. A malformed
 * `Forwarded` gives no hops. If both name clients, there are two lists, because a proxy may have passed on one that the
 * client wrote.
 */
export function hopsOf(headers: RequestHeaders): [Hop[], ...Hop[][]] {
  const forwarded = headers.forwarded ?? ''
  if (forwarded === '') return [legacyHops(headers)]
  const hops = forwardedHops(forwarded)
  return listOf(headers, 'x-forwarded-for').length > 0 ? [hops, legacyHops(headers)] : [hops]
}

/** One parameter of `Forwarded` and the following separator: `for="[::1]:80";`, `proto=https,`, an empty `;`, or the end. */
const PARAMETER = /[ \t]*(?:([\w!#$%&'*+.^`|~-]+)=("(?:[^"\\]|\\.)*"|[^\s",;]*)[ \t]*)?([;,]|$)/gy

/** `for=5.5.5.5;proto=https, for=10.0.0.2` has two elements, one per hop, with commas between them (RFC 7239 §4). */
function forwardedHops(field: string): Hop[] {
  const parameters = [...field.matchAll(PARAMETER)]
  // If the last match does not reach the end of the field, the next characters are malformed.
  if (parameters.at(-1)?.[3] !== '') return []
  const elements: [name: string, value: string][][] = [[]]
  for (const [, name, value = '', end] of parameters) {
    if (name !== undefined) elements.at(-1)?.push([name.toLowerCase(), unquote(value)])
    if (end === ',') elements.push([])
  }
  return elements
    .filter(element => element.length > 0)
    .reverse()
    .map(element => ({
      from: singleValue(element, 'for'),
      isHttps: singleValue(element, 'proto')?.toLowerCase() === 'https',
    }))
}

function unquote(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value
}

/** A parameter may occur only once in an element (RFC 7239 §4). */
function singleValue(element: readonly (readonly [name: string, value: string])[], name: string): string | undefined {
  const [first, ...others] = element.filter(each => each[0] === name)
  return others.length === 0 ? first?.[1] : undefined
}

/** If there are fewer schemes than addresses, the farther hops have the first scheme, because proxies passed it on. */
function legacyHops(headers: RequestHeaders): Hop[] {
  const froms = listOf(headers, 'x-forwarded-for')
  const schemes = listOf(headers, 'x-forwarded-proto')
  const isHttps = (at: number) => schemes[Math.min(at, schemes.length - 1)]?.toLowerCase() === 'https'
  if (froms.length === 0) return [{ from: undefined, isHttps: isHttps(0) }]
  return froms.map((from, at) => ({ from, isHttps: isHttps(at) }))
}

/** The values of a field with commas, last first: each proxy adds its value at the end. */
function listOf(headers: RequestHeaders, name: RequestField): string[] {
  const texts = (headers[name] ?? '').split(',')
  return texts.flatMap(text => text.trim() || []).reverse()
}

/** An IP address, optionally with a port; undefined for `unknown`, a name or anything else. */
export function addressIn(from: string): string | undefined {
  const [, inBrackets, plain] = groupsOf(NODE, from)
  const address = inBrackets ?? plain ?? from
  const isRight = plain === undefined ? isIPv6(address) && !address.includes('%') : isIPv4(address)
  return isRight ? canonicalAddress(address) : undefined
}

/** A node of RFC 7239 §6: `[2001:db8::1]`, `[2001:db8::1]:4711`, `192.0.2.1:80`, or `192.0.2.1:_x`, whose port is obfuscated. */
const NODE = /^(?:\[([\da-f:.]+)\]|([\d.]+))(?::(?:\d{1,5}|_[\w.-]+))?$/i
