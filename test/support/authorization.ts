import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { headersOf, type Reply, type RequestHeaders } from '../../src/exchange/message.ts'
import { splitTarget } from '../../src/exchange/target.ts'
import type { Service } from '../../src/http/service/service.ts'

/** A reply to a browser or to a program. */
export type Visit = { status: number; headers: Headers; text: string }

/** A browser without a screen: it keeps cookies, and follows no redirect by itself. */
export type Visitor = {
  get: (target: string, headers?: RequestHeaders) => Promise<Visit>
  /** Sends a form, as a page of the service would. */
  post: (target: string, fields: Readonly<Record<string, string>>, headers?: RequestHeaders) => Promise<Visit>
  cookies: Map<string, { value: string; path: string }>
}

/** Opens a browser for a service without a socket. Targets may be absolute. */
export function visitor(service: Service, address = '192.0.2.7'): Visitor {
  const cookies: Visitor['cookies'] = new Map()
  const visit = async (method: string, target: string, headers: RequestHeaders, body?: Uint8Array) => {
    const split = splitTarget(target)
    assert.ok(split, target)
    const pairs = [...cookies].filter(([, { path }]) => `${split.path}/`.startsWith(path === '/' ? path : `${path}/`))
    const cookie = pairs.map(([name, { value }]) => `${name.split(' ')[0]}=${value}`).join('; ')
    const all = { ...(cookie !== '' && { cookie }), accept: 'text/html', ...headers }
    const reply = await service({ method, ...split, headers: all, authorizations: 0, address, ...(body && { body }) })
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

const FORM = 'application/x-www-form-urlencoded'

function keep(cookies: Visitor['cookies'], set: string): void {
  const [pair = '', ...attributes] = set.split('; ')
  const [name = '', value = ''] = pair.split('=', 2)
  const path = attributes.find(each => /^path=/i.test(each))?.slice(5) ?? '/'
  const isGone = attributes.some(each => /^expires=Thu, 01 Jan 1970|^max-age=0/i.test(each))
  if (isGone) cookies.delete(`${name} ${path}`)
  else cookies.set(`${name} ${path}`, { value, path })
}

function visitOf(reply: Reply): Visit {
  const headers = new Headers()
  const all = headersOf(reply)
  for (let at = 0; at < all.length; at += 2) headers.append(all[at] ?? '', all[at + 1] ?? '')
  const text = reply.body instanceof Uint8Array ? new TextDecoder().decode(reply.body) : ''
  return { status: reply.status, headers, text }
}

/** A program that connects to a service. */
export type Program = { clientId: string; redirectUri: string; resource: string; scope?: string }

/** A begun authorization: the target of its first request, and the secret that redeems its code. */
export function authorization({ clientId, redirectUri, resource, scope }: Program): {
  target: string
  verifier: string
} {
  const verifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    state: 'a-state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource,
    ...(scope !== undefined && { scope }),
  })
  return { target: `/oauth/authorize?${query}`, verifier }
}

/** The path and the query of the address that a reply redirects to. */
export function redirectOf({ status, headers, text }: Visit): string {
  assert.equal(status, 303, text)
  return headers.get('location') ?? ''
}

/** The hidden proof in a form. */
export function proofIn({ text }: Visit): string {
  return /name="proof" value="([^"]+)"/.exec(text)?.[1] ?? ''
}

/** Begins an authorization in a browser that may see the guide, allows it, and returns the code and its secret. */
export async function allow(browser: Visitor, program: Program): Promise<{ code: string; verifier: string }> {
  const { target, verifier } = authorization(program)
  const consent = redirectOf(await browser.get(target))
  const page = await browser.get(consent)
  assert.equal(page.status, 200, page.text)
  const decided = await browser.post(consent, { action: 'allow', proof: proofIn(page) })
  const back = new URL(redirectOf(await browser.get(redirectOf(decided))))
  assert.equal(back.searchParams.get('iss'), new URL(program.resource).origin)
  assert.equal(back.searchParams.get('state'), 'a-state')
  return { code: back.searchParams.get('code') ?? '', verifier }
}

/** Sends a form of a program to an address of the service, and returns its JSON. */
export async function postForm(service: Service, path: string, fields: Readonly<Record<string, string>>) {
  const body = new TextEncoder().encode(new URLSearchParams(fields).toString())
  const headers = { 'content-type': FORM }
  const sent = { method: 'POST', path, query: '', headers, authorizations: 0, address: '198.51.100.4', body }
  const { status, text, headers: fieldsOut } = visitOf(await service(sent))
  return { status, headers: fieldsOut, body: JSON.parse(text === '' ? '{}' : text) }
}

/** The token request for a code. */
export function tokenRequest(
  { clientId, redirectUri }: Program,
  { code, verifier }: { code: string; verifier: string },
) {
  return {
    grant_type: 'authorization_code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code,
    code_verifier: verifier,
  }
}
