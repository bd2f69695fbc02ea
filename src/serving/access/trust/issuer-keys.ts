import { createPublicKey } from 'node:crypto'
import { withReason } from '#platform/base/reason.ts'
import { withoutLastSlash } from '#platform/base/text.ts'
import { type OutgoingOptions, trustedFetch } from '#platform/outgoing/outgoing-fetch.ts'
import { ALGORITHMS, type Algorithm } from '../keys/jose.ts'
import type { VerificationKey } from '../keys/keys.ts'

/** Finds a key of an external issuer by id. Known keys remain available while the issuer is down. */
export type IssuerKeys = (kid: string, algorithm: Algorithm) => Promise<VerificationKey | undefined>

/** An issuer whose keys are cached, and the functions that read them and receive changes. */
export type KeySource = {
  issuer: string
  /** The address of its keys. If absent, it is discovered. */
  jwks?: string
  fetchJson: FetchJson
  clock: () => number
  /** Called when keys were added or removed, because tokens must then be verified again. */
  changed: () => void
  failed: (error: unknown) => void
}

/**
 * Caches the key set of an issuer. Returns a known key at once; if the set is older than ten minutes, reads it again in
 * the background. For an unknown key, reads the set first, but at most every 30 seconds, so that invented ids cannot
 * flood the issuer.
 */
export function cacheIssuerKeys(source: KeySource): IssuerKeys {
  const { find, read } = openKeySet(source)
  let triedAt = Number.NEGATIVE_INFINITY
  let pendingRead: Promise<void> | undefined
  const refresh = (): Promise<void> => {
    triedAt = source.clock()
    pendingRead ??= read().finally(() => {
      pendingRead = undefined
    })
    return pendingRead
  }
  return async (kid, algorithm) => {
    const age = source.clock() - triedAt
    const knownKey = find(kid, algorithm)
    if (knownKey) {
      if (age > FRESH_MS) void refresh()
      return knownKey
    }
    if (pendingRead) await pendingRead
    else if (age >= COOLDOWN_MS) await refresh()
    return find(kid, algorithm)
  }
}

/** The keys of an issuer as they were last read. A failed read is reported, and changes nothing. */
function openKeySet(source: KeySource) {
  let keys = new Map<string, VerificationKey>()
  let keySetText = ''
  return {
    find: (kid: string, algorithm: Algorithm) => keys.get(cacheKey(kid, algorithm)),
    read: async () => {
      try {
        const set = await findKeySet(source.issuer, source.jwks, source.fetchJson)
        const text = JSON.stringify(set)
        if (text === keySetText) return
        keys = usableKeys(set, source)
        keySetText = text
        source.changed()
      } catch (error) {
        source.failed(error)
      }
    },
  }
}

/** An older key set is read again in the background. */
const FRESH_MS = 10 * 60_000
/** The time between two reads that unknown keys cause. */
const COOLDOWN_MS = 30_000

/** A key of a set with one of its possible algorithms; `parts` are its public parts as JSON. */
type Candidate = { kid: string; algorithm: Algorithm; parts: string }

/** Collects the keys by algorithm and id. Omits and reports weak keys, and different keys with the same id. */
function usableKeys(set: readonly Jwk[], { issuer, failed }: KeySource): Map<string, VerificationKey> {
  const keys = new Map<string, VerificationKey>()
  const candidates = Map.groupBy(set.flatMap(candidatesOf), ({ kid, algorithm }) => cacheKey(kid, algorithm))
  for (const [name, [first, ...others]] of candidates) {
    if (!first) continue
    try {
      if (others.some(({ parts }) => parts !== first.parts)) throw new Error('several keys have this id')
      keys.set(name, importKey(first))
    } catch (error) {
      failed(new Error(`key ${JSON.stringify(first.kid)} of ${issuer} cannot be used`, { cause: error }))
    }
  }
  return keys
}

/** A key for signatures, once for each algorithm that it may have; none for any other key (RFC 7517 §4.2 and §4.3). */
function candidatesOf(jwk: Jwk): Candidate[] {
  const { kid, use, key_ops: uses, kty, crv, x, y, n, e } = jwk
  const isForSignatures = (use === undefined || use === 'sig') && (!Array.isArray(uses) || uses.includes('verify'))
  if (typeof kid !== 'string' || !isForSignatures) return []
  const parts = JSON.stringify({ kty, crv, x, y, n, e })
  return algorithmsOf(jwk).map(algorithm => ({ kid, algorithm, parts }))
}

function cacheKey(kid: string, algorithm: Algorithm): string {
  return `${algorithm} ${kid}`
}

function importKey({ kid, algorithm, parts }: Candidate): VerificationKey {
  const key = createPublicKey({ key: JSON.parse(parts), format: 'jwk' })
  const { modulusLength = MIN_RSA_BITS } = key.asymmetricKeyDetails ?? {}
  if (modulusLength < MIN_RSA_BITS)
    throw new Error(`it has ${modulusLength} bits, but at least ${MIN_RSA_BITS} are required`)
  return { kid, algorithm, key: () => key }
}

/** RFC 7518 §3.3 and §3.5 */
const MIN_RSA_BITS = 2048

/**
 * Lists the algorithms of a key: its named one, else the first for its kind, such as `RS256` for RSA. `EdDSA` and
 * `Ed25519` name the same algorithm, so a key with one of the names verifies tokens with both.
 */
function algorithmsOf({ kty, crv, alg }: Jwk): readonly Algorithm[] {
  const kind = kty === 'RSA' ? 'RSA' : `${kty} ${crv}`
  const possible = ALGORITHMS.filter(algorithm => KINDS[algorithm] === kind)
  const named = alg === undefined ? possible : possible.filter(algorithm => algorithm === alg)
  if (kind === 'OKP Ed25519') return named.length > 0 ? possible : []
  return named.slice(0, 1)
}

const KINDS: Readonly<Record<Algorithm, string>> = {
  ES256: 'EC P-256',
  EdDSA: 'OKP Ed25519',
  Ed25519: 'OKP Ed25519',
  RS256: 'RSA',
  PS256: 'RSA',
}

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

/** Reads JSON at an address of the operator, or of an issuer that it named. `seen` gets the fields of the reply. */
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
  const ofOpenId = fetchJson(`${withoutLastSlash(issuer)}/.well-known/openid-configuration`, signal)
  // If both fail, the error of the first is thrown.
  const metadata = await ofOpenId.catch(error =>
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
  return `${origin}/.well-known/oauth-authorization-server${withoutLastSlash(pathname)}`
}
