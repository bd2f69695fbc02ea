import { withReason } from '../../base/reason.ts'
import { type OutgoingOptions, trustedFetch } from '../../outgoing/outgoing-fetch.ts'

/** Reads a JSON object from an address until the signal aborts. */
export type FetchJson = (address: string, signal: AbortSignal) => Promise<Readonly<Record<string, unknown>>>

type Jwk = Readonly<Record<string, unknown>>

/**
 * Reads the keys of an issuer from the given address, or from the one in its metadata (OpenID Connect Discovery 1.0 §4,
 * else RFC 8414 §3). The metadata must name this issuer. All steps together take at most five seconds.
 */
export async function findKeySet(issuer: string, jwks: string | undefined, fetchJson: FetchJson): Promise<Jwk[]> {
  const signal = AbortSignal.timeout(MAX_MS)
  const set = await fetchJson(jwks ?? (await discover(issuer, fetchJson, signal)), signal)
  if (!Array.isArray(set.keys)) throw new Error(`the key set of ${issuer} has no list of keys`)
  return set.keys.filter(key => typeof key === 'object' && key !== null)
}

/**
 * Reads JSON from addresses that the operator named, or that an issuer named by the operator gives. `seen` is called with
 * the fields of each reply.
 */
export function openFetchJson(seen?: OutgoingOptions['seen']): FetchJson {
  const fetchTrusted = trustedFetch({ maxMs: MAX_MS, ...(seen && { seen }) })
  return async (address, signal) => {
    const headers = { accept: 'application/jwk-set+json, application/json' }
    const reply = await fetchTrusted(address, { signal, redirect: 'error', headers })
    if (!reply.ok) throw new Error(`${address} answered ${reply.status}`)
    const value: unknown = await reply.json()
    if (typeof value !== 'object' || value === null) throw new Error(`${address} did not answer with a JSON object`)
    return { ...value }
  }
}

const MAX_MS = 5000

export const fetchJson = openFetchJson()

async function discover(issuer: string, fetchJson: FetchJson, signal: AbortSignal): Promise<string> {
  const metadata = await fetchJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, signal).catch(
    error =>
      fetchJson(oauthMetadata(issuer), signal).catch(() => {
        throw error
      }),
  )
  if (metadata.issuer !== issuer)
    throw new Error(withReason(`the metadata of ${issuer} names another issuer`, String(metadata.issuer)))
  const { jwks_uri: address } = metadata
  if (typeof address !== 'string') throw new Error(`the metadata of ${issuer} names no key set`)
  if (isHttps(issuer) && !isHttps(address))
    throw new Error(`the metadata of ${issuer} names a key set that is not https`)
  return address
}

function isHttps(address: string): boolean {
  return URL.canParse(address) && new URL(address).protocol === 'https:'
}

/** RFC 8414 §3 puts the well-known part before the issuer's path. */
function oauthMetadata(issuer: string): string {
  const { origin, pathname } = new URL(issuer)
  return `${origin}/.well-known/oauth-authorization-server${pathname.replace(/\/$/, '')}`
}
