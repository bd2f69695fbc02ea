import { errorOf, HousestyleError, parseObject } from './error.ts'
import { isRedirect, orNetworkError, redirectError } from './get.ts'
import type { Platform } from './platform.ts'
import { within } from './time.ts'

/** The id and the secret of a client, which `housestyle client create` prints. */
export type ClientCredentials = { clientId: string; clientSecret: string }

/** A token, or a function that returns one. After a 401, it is called with the refused token. */
export type Token = string | ((refused?: string) => string | Promise<string>)

/** Returns a token: another one than the refused one, if possible. */
export type TokenSource = (refused?: string) => Promise<string>

const RENEWAL_MS = 60_000

/** The tokens of a string or a function. */
export function givenTokens(token: Token): TokenSource {
  return async refused => {
    const value = typeof token === 'function' ? await token(refused) : token
    if (typeof value === 'string' && value !== '') return value
    throw new TypeError('The token must be a non-empty string, or a function that returns one.')
  }
}

/** The tokens of a client (RFC 6749 §4.4). Concurrent requests share one, which is renewed a minute before it expires. */
export function clientTokens(platform: Platform, tokenUrl: string, credentials: ClientCredentials): TokenSource {
  let current = { token: '', renewAtMs: 0 }
  let pending: Promise<string> | undefined
  const renew = async () => {
    const sentMs = platform.now()
    const { token, lifetimeSeconds } = await requestToken(platform, tokenUrl, credentials)
    current = { token, renewAtMs: sentMs + lifetimeSeconds * 1000 - RENEWAL_MS }
    return token
  }
  return async refused => {
    if (current.token !== refused && platform.now() < current.renewAtMs) return current.token
    pending ??= renew().finally(() => {
      pending = undefined
    })
    return pending
  }
}

/** Requests a token once: a POST is not repeated. */
function requestToken(platform: Platform, url: string, { clientId, clientSecret }: ClientCredentials) {
  const attempt = `cannot get a token from ${url}`
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
  return within({ attempt, ms: platform.timeout, signal: undefined }, signal =>
    orNetworkError(attempt, async () => {
      const body = new URLSearchParams(form)
      const response = await platform.fetch(url, { method: 'POST', body, redirect: 'manual', signal })
      if (isRedirect(response)) throw redirectError(attempt, response)
      if (!response.ok) throw await errorOf(attempt, response, platform.now())
      const { access_token: token, expires_in: lifetimeSeconds } = parseObject(await response.text())
      if (typeof token === 'string' && typeof lifetimeSeconds === 'number') return { token, lifetimeSeconds }
      const description = 'The reply has no access_token with expires_in.'
      throw new HousestyleError(attempt, { status: response.status, code: 'invalid_reply', description })
    }),
  )
}
