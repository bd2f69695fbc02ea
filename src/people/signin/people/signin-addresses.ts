import { hash } from 'node:crypto'
import type { ServerMetadata } from 'openid-client'
import { withoutLastSlash } from '#platform/base/text.ts'
import type { HeaderList, Reply, Request } from '#platform/exchange/message.ts'
import { NO_STORE, redirect } from '#platform/exchange/reply.ts'
import { isTrustworthy } from '#platform/outgoing/public-targets.ts'
import type { SigninRecord } from '#store/access/signins.ts'

export const SIGNIN_PATH = '/-/signin'
export const SIGNOUT_PATH = '/-/signout'
export const SIGNED_IN_PATH = '/-/signed-in'

/**
 * The path to which an issuer redirects, below the public URL. An issuer that does not name itself in its answers
 * (RFC 9207) has its own path, except the first such issuer: another one could pass on such an answer as its own, and
 * so get the code (RFC 9700 §4.4).
 */
export function redirectPath(
  { issuer, settings }: { issuer: string; settings: Pick<SigninRecord['settings'], 'hasOwnRedirect'> },
  { authorization_response_iss_parameter_supported: isNamed }: Partial<ServerMetadata>,
): string {
  if (isNamed === true || !settings.hasOwnRedirect) return SIGNED_IN_PATH
  return `${SIGNED_IN_PATH}/${hash('sha256', new URL(issuer).href, 'base64url').slice(0, KEY_LENGTH)}`
}

const KEY_LENGTH = 16

/** Redirects with these fields. The next page does not learn where the person comes from. */
export function leadTo(address: string, fields: HeaderList = []): Reply {
  return redirect(303, address, [...NO_STORE, ...fields, 'Referrer-Policy', 'no-referrer'])
}

/** Whether others reach the service by plain http. Then the network could read a session cookie: no one can sign in. */
export function lacksSecureAddress(publicUrl: string, isHttps: Request['isHttps']): boolean {
  return isHttps !== true && !isTrustworthy(publicUrl)
}

/**
 * Reads the address to return to after signing in: a path of this service as a browser would resolve it. Undefined for
 * any other, so that no link to this service can redirect to another site. `publicUrl` has no trailing slash.
 */
export function parseReturnPath(text: string | null | undefined, publicUrl: string): string | undefined {
  if (!text || text.length > MAX_LENGTH || !/^\/(?![/\\])/.test(text) || !URL.canParse(text, publicUrl))
    return undefined
  const ownUrl = new URL(publicUrl)
  const { origin, pathname, search } = new URL(text, publicUrl)
  const base = withoutLastSlash(ownUrl.pathname)
  const isBelow = pathname === base || pathname.startsWith(`${base}/`)
  // "/.//example.com" has our origin, but as a path it would name another host.
  if (origin !== ownUrl.origin || !isBelow || pathname.startsWith('//')) return undefined
  return OWN_PAGES.test(pathname.slice(base.length)) ? undefined : pathname + search
}

/** Pages to which no one returns. */
const OWN_PAGES = /^\/-\/(?:signin|signed-in|signout)(?:\/|$)/

/**
 * The path to return to: the one that a link states (`return`), else that of the page with the link. Pages for unknown
 * addresses state none, so that all of them are equal.
 */
export function returnPathOf(
  { headers }: Pick<Request, 'headers'>,
  publicUrl: string,
  query: URLSearchParams,
): string | undefined {
  if (query.has('return')) return parseReturnPath(query.get('return'), publicUrl)
  const { referer = '' } = headers
  const { origin } = new URL(publicUrl)
  return referer.startsWith(`${origin}/`) ? parseReturnPath(referer.slice(origin.length), publicUrl) : undefined
}

/** The longest path to return to: as long as the longest request target. */
const MAX_LENGTH = 8 << 10
