import { once } from '../brand/once.ts'
import { ALGORITHMS, type Algorithm } from './compact-token.ts'
import { type FetchJson, findKeySet } from './key-set.ts'
import type { Key } from './signing.ts'

/** The keys of an outside issuer: read when first needed, then from time to time, and kept while it cannot be reached. */
export type IssuerKeys = (kid: string, algorithm: Algorithm) => Promise<Key | undefined>

/** What keys are read with. */
export type KeySource = {
  issuer: string
  /** Where its keys are; absent: found by discovery. */
  jwks?: string
  fetchJson: FetchJson
  clock: () => number
  /** Hears that keys came or went: what was verified before must be verified again. */
  changed: () => void
  failed: (error: unknown) => void
}

/**
 * Keeps the keys of an issuer. A key that is known is answered at once, and the set is read again behind it when it is
 * ten minutes old; a key that is not known has the set read again, not more than once in 30 seconds, so that made-up
 * ids cannot be used to flood the issuer.
 */
export function keepIssuerKeys(source: KeySource): IssuerKeys {
  let keys = new Map<string, Key>()
  let kept = ''
  let triedAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined
  const read = async () => {
    try {
      const set = await findKeySet(source.issuer, source.jwks, source.fetchJson)
      if (JSON.stringify(set) === kept) return
      kept = JSON.stringify(set)
      keys = keysOf(set)
      source.changed()
    } catch (error) {
      source.failed(error)
    } finally {
      reading = undefined
    }
  }
  const readAgain = (): Promise<void> => {
    triedAt = source.clock()
    reading ??= read()
    return reading
  }
  return async (kid, algorithm) => {
    const age = source.clock() - triedAt
    const known = keys.get(nameOf(kid, algorithm))
    if (known) {
      if (age > FRESH_MS) void readAgain()
      return known
    }
    if (reading) await reading
    else if (age >= COOLDOWN_MS) await readAgain()
    return keys.get(nameOf(kid, algorithm))
  }
}

const FRESH_MS = 10 * 60_000
const COOLDOWN_MS = 30_000

function keysOf(set: readonly Readonly<Record<string, unknown>>[]): Map<string, Key> {
  const keys = new Map<string, Key>()
  for (const jwk of set) {
    const { kid, use } = jwk
    if (typeof kid !== 'string' || (use !== undefined && use !== 'sig')) continue
    for (const algorithm of algorithmsOf(jwk)) keys.set(nameOf(kid, algorithm), keyOf(kid, algorithm, jwk))
  }
  return keys
}

function nameOf(kid: string, algorithm: Algorithm): string {
  return `${algorithm} ${kid}`
}

function keyOf(kid: string, algorithm: Algorithm, jwk: Readonly<Record<string, unknown>>): Key {
  const read = async () => {
    const { importJWK } = await import('jose')
    const { kty, crv, x, y, n, e } = jwk
    const parts = Object.entries({ kty, crv, x, y, n, e }).filter(([, part]) => typeof part === 'string')
    const key = await importJWK(Object.fromEntries(parts), algorithm)
    if (key instanceof Uint8Array) throw new Error(`key ${kid} is symmetric`)
    return key
  }
  return { kid, algorithm, key: once(read) }
}

/** One algorithm for a key: the one it names, else the one that its kind is used with (both names of Ed25519). */
function algorithmsOf({ kty, crv, alg }: Readonly<Record<string, unknown>>): readonly Algorithm[] {
  const possible = ALGORITHMS.filter(algorithm => KINDS[algorithm] === (kty === 'RSA' ? 'RSA' : `${kty} ${crv}`))
  if (alg !== undefined) return possible.filter(algorithm => algorithm === alg || KINDS[algorithm] === 'OKP Ed25519')
  return kty === 'RSA' ? ['RS256'] : possible
}

const KINDS: Readonly<Record<Algorithm, string>> = {
  ES256: 'EC P-256',
  EdDSA: 'OKP Ed25519',
  Ed25519: 'OKP Ed25519',
  RS256: 'RSA',
  PS256: 'RSA',
}
