import { isIPv4, isIPv6 } from 'node:net'
import { canonicalAddress } from '../../exchange/ip-address.ts'
import type { RequestField, RequestHeaders } from '../../exchange/message.ts'

/** A proxy's information about a request: its source address, as written by the proxy, and whether it used https. */
export type Hop = { from: string | undefined; isHttps: boolean }

/** The fields in which proxies name the source of a request. */
export const FORWARDING = ['forwarded', 'x-forwarded-for', 'x-forwarded-proto'] as const

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

/** One parameter of `Forwarded`, which may be empty, and the following separator. A value may be unquoted. */
const PARAMETER = /[ \t]*(?:([\w!#$%&'*+.^`|~-]+)=("(?:[^"\\]|\\.)*"|[^\s",;]*)[ \t]*)?([;,]|$)/gy

function forwardedHops(field: string): Hop[] {
  const parameters = [...field.matchAll(PARAMETER)]
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

/** Missing schemes are the same as the first one, because the last proxies passed it on. */
function legacyHops(headers: RequestHeaders): Hop[] {
  const [froms, schemes] = [listOf(headers, 'x-forwarded-for'), listOf(headers, 'x-forwarded-proto')]
  const isHttps = (at: number) => schemes[Math.min(at, schemes.length - 1)]?.toLowerCase() === 'https'
  if (froms.length === 0) return [{ from: undefined, isHttps: isHttps(0) }]
  return froms.map((from, at) => ({ from, isHttps: isHttps(at) }))
}

function listOf(headers: RequestHeaders, name: RequestField): string[] {
  const texts = (headers[name] ?? '').split(',')
  return texts.flatMap(text => text.trim() || []).reverse()
}

/**
 * Reads an IP address, optionally with a port, from a proxy's value; undefined if it is `unknown`, a name or anything
 * else.
 */
export function addressIn(from: string): string | undefined {
  const [, inBrackets, plain] = NODE.exec(from) ?? []
  const address = inBrackets ?? plain ?? from
  const isRight = plain === undefined ? isIPv6(address) && !address.includes('%') : isIPv4(address)
  return isRight ? canonicalAddress(address) : undefined
}

/** RFC 7239 §6; a port may be obfuscated. */
const NODE = /^(?:\[([\da-f:.]+)\]|([\d.]+))(?::(?:\d{1,5}|_[\w.-]+))?$/i
