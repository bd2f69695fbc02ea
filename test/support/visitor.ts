import assert from 'node:assert/strict'
import { type HeaderList, headersOf, type Reply } from '#platform/exchange/message.ts'
import type { RequestHeaders } from '#platform/exchange/request-fields.ts'
import { splitTarget } from '#platform/exchange/target.ts'
import type { Service } from '#program/http/service/service.ts'

/** A whole reply to a browser or to a program. */
export type Visit = { status: number; headers: Headers; text: string }

/** A browser without a screen: it keeps cookies, and follows no redirect by itself. */
export type Visitor = {
  get: (target: string, headers?: RequestHeaders) => Promise<Visit>
  /** Sends a form, as a page of the service would. */
  post: (target: string, fields: Readonly<Record<string, string>>, headers?: RequestHeaders) => Promise<Visit>
  /** By name; for a cookie of a path below the root, by name and path. */
  cookies: Map<string, { value: string; path: string }>
}

/** Opens a browser for a service without a socket, or for several that answer in turn. Targets may be absolute. */
export function visitor(service: Service | readonly Service[], address = '192.0.2.7'): Visitor {
  const cookies: Visitor['cookies'] = new Map()
  const services = [service].flat()
  const visit = async (method: string, target: string, headers: RequestHeaders, body?: Uint8Array) => {
    const split = splitTarget(target)
    assert.ok(split, target)
    const cookie = cookieField(cookies, split.path)
    const all = { ...(cookie !== '' && { cookie }), accept: 'text/html', ...headers }
    const [next] = services
    assert.ok(next)
    services.push(...services.splice(0, 1))
    const reply = await next({ method, ...split, headers: all, authorizations: 0, address, ...(body && { body }) })
    const visited = visitOf(reply)
    for (const set of visited.headers.getSetCookie()) keep(cookies, set)
    return visited
  }
  return {
    cookies,
    get: (target, headers = {}) => visit('GET', target, headers),
    post: (target, fields, headers = {}) =>
      visit(
        'POST',
        target,
        { 'content-type': FORM, 'sec-fetch-site': 'same-origin', ...headers },
        new TextEncoder().encode(new URLSearchParams(fields).toString()),
      ),
  }
}

/** The media type of a form. */
export const FORM = 'application/x-www-form-urlencoded'

/** The `Cookie` field that a browser sends to a path. */
export function cookieField(cookies: Visitor['cookies'], path: string): string {
  return Array.from(cookies)
    .filter(([, cookie]) => `${path}/`.startsWith(cookie.path === '/' ? '/' : `${cookie.path}/`))
    .map(([name, { value }]) => `${name.split(' ')[0]}=${value}`)
    .join('; ')
}

function keep(cookies: Visitor['cookies'], set: string): void {
  const [pair = '', ...attributes] = set.split('; ')
  const [name = '', value = ''] = pair.split('=', 2)
  const path = attributes.find(each => /^path=/i.test(each))?.slice(5) ?? '/'
  const key = path === '/' ? name : `${name} ${path}`
  const isGone = attributes.some(each => /^expires=Thu, 01 Jan 1970|^max-age=0/i.test(each))
  if (isGone) cookies.delete(key)
  else cookies.set(key, { value, path })
}

/** A reply whose body is not a stream. */
export function visitOf(reply: Reply): Visit {
  const text = reply.body instanceof Uint8Array ? new TextDecoder().decode(reply.body) : ''
  return { status: reply.status, headers: fieldsOf(headersOf(reply)), text }
}

/** Alternating names and values as `Headers`. */
export function fieldsOf(list: HeaderList): Headers {
  const fields = new Headers()
  for (let at = 0; at < list.length; at += 2) fields.append(list[at] ?? '', list[at + 1] ?? '')
  return fields
}

/** A browser that sends the host of absolute addresses. Cookies are kept for each host. */
export function browserOf(service: Parameters<typeof visitor>[0]): Pick<Visitor, 'get' | 'post'> & {
  /** The cookies that it sends to an address. */
  cookieOf: (url: string) => string
  /** Asks an issuer, which listens on this machine. */
  fetched: (url: string) => Promise<Visit>
  /** Follows the redirects to an address, and gives the last reply. */
  follow: (visit: Visit, at: string) => Promise<Visit & { url: string }>
} {
  const visitors = new Map<string, Visitor>()
  const at = (url: string) => {
    const { host } = new URL(url)
    const own = visitors.get(host) ?? visitor(service)
    visitors.set(host, own)
    return { own, headers: { host } }
  }
  const get: Visitor['get'] = (url, headers = {}) => {
    const { own, headers: sent } = at(url)
    return own.get(url, { ...sent, ...headers })
  }
  return {
    get,
    fetched,
    cookieOf: url => cookieField(at(url).own.cookies, new URL(url).pathname),
    post: (url, fields, headers = {}) => {
      const { own, headers: sent } = at(url)
      return own.post(url, fields, { ...sent, ...headers })
    },
    follow: async (visit, from) => {
      let [last, url] = [visit, from]
      for (let hops = 0; hops < 10 && last.status >= 300 && last.status < 400; hops++) {
        url = new URL(last.headers.get('location') ?? '', url).href
        last = /^http:\/\/127\.0\.0\.1:(?!9\/)/.test(url) ? await fetched(url) : await get(url)
      }
      return { ...last, url }
    },
  }
}

async function fetched(url: string): Promise<Visit> {
  const reply = await fetch(url, { redirect: 'manual' })
  return { status: reply.status, headers: reply.headers, text: await reply.text() }
}
