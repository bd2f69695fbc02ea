import { openUses, type Uses } from '../access/last-use/uses.ts'
import { openShares, type Shares } from '../access/share/share-verifier.ts'
import { ownIssuerReader } from '../access/token/own-issuer.ts'
import { openTokenVerifier, type TokenVerifier, type TokenVerifierParts } from '../access/token/token-verifier.ts'
import { fetchJson } from '../access/trust/key-set.ts'
import { trustedIssuers } from '../access/trust/outside-issuer.ts'
import { trustEntries } from '../access/trust/trust-entries.ts'
import type { Settings } from '../settings.ts'
import type { Store } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'
import { audienceFor } from './access.ts'

/** The parts that verify tokens and share links, and the uses that they mark. */
export type Verifiers = { verifier: TokenVerifier; shares: Shares; uses: Uses }

/** The inputs of the verifiers. */
type VerifierSource = {
  settings: Pick<Settings, 'publicUrl' | 'trust'>
  store: Store
  log: Log
  publicUrl: string
  clock: () => number
}

export async function openVerifiers(
  source: VerifierSource,
  { record, caches }: Pick<TokenVerifierParts, 'record' | 'caches'>,
): Promise<Verifiers> {
  const { store, publicUrl, clock } = source
  const { database, identity } = store
  const uses = openUses()
  const shared = { record, caches, markUse: uses.mark }
  const verifier = await openVerifier(source, shared)
  return { verifier, uses, shares: openShares({ database, secret: identity.shareSecret, publicUrl, clock, ...shared }) }
}

/** Opens the verifier for tokens of this store and of trusted issuers. */
async function openVerifier(
  { settings, store, log, clock }: VerifierSource,
  shared: Omit<TokenVerifierParts, 'readOwn' | 'others'>,
): Promise<TokenVerifier> {
  const audience = audienceFor(settings, store)
  const others = trustedIssuers(trustEntries(settings.trust, audience), {
    fetchJson,
    clock,
    changed: () => verifier.forget(),
    failed: error => log.warn({ err: error }, 'the keys of an issuer cannot be read'),
  })
  const readOwn = ownIssuerReader(store.database, audience, clock)
  const verifier = await openTokenVerifier({ readOwn, others, ...shared })
  return verifier
}
