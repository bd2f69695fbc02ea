import { currentTrace } from '../../telemetry/current-trace.ts'
import { traceHeaders } from '../../telemetry/trace-context.ts'

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

/** Whether keys may be read from an address: https, or http on this machine, without credentials or fragment. */
export function isTrustworthy(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, username, password, hash } = new URL(address)
  if (username !== '' || password !== '' || hash !== '') return false
  return protocol === 'https:' || (protocol === 'http:' && /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname))
}

const MAX_MS = 5000

/**
 * Reads at most 256 KiB of JSON from a trustworthy address, without following redirects. Passes on the trace of the
 * current request, if any.
 */
export const fetchJson: FetchJson = async (address, signal) => {
  if (!isTrustworthy(address)) throw new Error(`${address} is not https`)
  const trace = currentTrace()
  const reply = await fetch(address, {
    signal,
    redirect: 'error',
    headers: { accept: 'application/jwk-set+json, application/json', ...(trace && traceHeaders(trace)) },
  })
  if (!reply.ok) throw new Error(`${address} answered ${reply.status}`)
  const value: unknown = JSON.parse(await readText(reply))
  if (typeof value !== 'object' || value === null) throw new Error(`${address} did not answer with a JSON object`)
  return { ...value }
}

const MAX_BYTES = 256 << 10

async function readText(reply: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for await (const chunk of reply.body ?? []) {
    size += chunk.length
    if (size > MAX_BYTES) throw new Error(`${reply.url} answered with more than ${MAX_BYTES} bytes`)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

async function discover(issuer: string, fetchJson: FetchJson, signal: AbortSignal): Promise<string> {
  const metadata = await fetchJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, signal).catch(
    error =>
      fetchJson(oauthMetadata(issuer), signal).catch(() => {
        throw error
      }),
  )
  if (metadata.issuer !== issuer) throw new Error(`the metadata of ${issuer} names another issuer`)
  const { jwks_uri: address } = metadata
  if (typeof address !== 'string') throw new Error(`the metadata of ${issuer} names no key set`)
  if (issuer.startsWith('https:') && !address.startsWith('https:'))
    throw new Error(`the metadata of ${issuer} names a key set that is not https`)
  return address
}

/** RFC 8414 §3 puts the well-known part before the issuer's path. */
function oauthMetadata(issuer: string): string {
  const { origin, pathname } = new URL(issuer)
  return `${origin}/.well-known/oauth-authorization-server${pathname.replace(/\/$/, '')}`
}
