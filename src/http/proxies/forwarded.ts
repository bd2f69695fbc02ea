import { isIPv4, isIPv6 } from 'node:net'
import { type RequestHeaders, requestHeader } from '../../exchange/message.ts'

/** What a proxy says of whoever asked it: where that came from, in its own words, and whether it came by https. */
export type Hop = { from: string | undefined; isHttps: boolean }

/**
 * What the proxies on a request's way say, the nearest first: in `Forwarded` (RFC 7239) if it is there, else in
 * `X-Forwarded-For` and `X-Forwarded-Proto`. Whoever sends a request can write either, so only known proxies are to be
 * believed. A malformed `Forwarded` says nothing. If both name clients, there are two lists, one of which a proxy may
 * have passed on as a client wrote it.
 */
export function hopsOf(headers: RequestHeaders): [Hop[], ...Hop[][]] {
  const forwarded = requestHeader(headers, 'forwarded') ?? ''
  if (forwarded === '') return [unstandardHops(headers)]
  const hops = standardHops(forwarded)
  return listOf(headers, 'x-forwarded-for').length > 0 ? [hops, unstandardHops(headers)] : [hops]
}

/** One parameter of `Forwarded`, if there is one, and what ends it; values may stand without the quotes that they need. */
const PARAMETER = /[ \t]*(?:([\w!#$%&'*+.^`|~-]+)=("(?:[^"\\]|\\.)*"|[^\s",;]*)[ \t]*)?([;,]|$)/gy

function standardHops(field: string): Hop[] {
  const found = [...field.matchAll(PARAMETER)]
  if (found.at(-1)?.[3] !== '') return []
  const elements: [name: string, value: string][][] = [[]]
  for (const [, name, value = '', end] of found) {
    if (name !== undefined) elements.at(-1)?.push([name.toLowerCase(), unquoted(value)])
    if (end === ',') elements.push([])
  }
  return elements
    .filter(element => element.length > 0)
    .reverse()
    .map(element => ({ from: only(element, 'for'), isHttps: only(element, 'proto')?.toLowerCase() === 'https' }))
}

function unquoted(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value
}

/** A parameter may stand once in an element (RFC 7239 §4). */
function only(element: readonly (readonly [name: string, value: string])[], name: string): string | undefined {
  const [first, ...others] = element.filter(each => each[0] === name)
  return others.length === 0 ? first?.[1] : undefined
}

/** Where fewer schemes stand than addresses, the last proxies have passed on what the first one said. */
function unstandardHops(headers: RequestHeaders): Hop[] {
  const [froms, schemes] = [listOf(headers, 'x-forwarded-for'), listOf(headers, 'x-forwarded-proto')]
  const isHttps = (at: number) => schemes[Math.min(at, schemes.length - 1)]?.toLowerCase() === 'https'
  if (froms.length === 0) return [{ from: undefined, isHttps: isHttps(0) }]
  return froms.map((from, at) => ({ from, isHttps: isHttps(at) }))
}

function listOf(headers: RequestHeaders, name: string): string[] {
  const texts = (requestHeader(headers, name) ?? '').split(',')
  return texts.flatMap(text => text.trim() || []).reverse()
}

/** The IP address in what a proxy says, which may have a port; undefined if it is `unknown`, a name or anything else. */
export function addressIn(from: string): string | undefined {
  const [, inBrackets, plain] = NODE.exec(from) ?? []
  const address = inBrackets ?? plain ?? from
  const isRight = plain === undefined ? isIPv6(address) && !address.includes('%') : isIPv4(address)
  return isRight ? sameAddress(address) : undefined
}

/** RFC 7239 §6; a port may be obfuscated. */
const NODE = /^(?:\[([\da-f:.]+)\]|([\d.]+))(?::(?:\d{1,5}|_[\w.-]+))?$/i

/** The one way to write an IP address: IPv4 also where it stands in IPv6, and without the zone of this machine. */
export function sameAddress(address: string): string {
  if (!isIPv6(address)) return address
  const short = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1)
  const [, high, low] = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(short) ?? []
  if (high === undefined || low === undefined) return short
  const bytes = [high, low].flatMap(half => [Number.parseInt(half, 16) >> 8, Number.parseInt(half, 16) & 0xff])
  return bytes.join('.')
}
