import { ownIssuerReader } from '../access/token/own-issuer.ts'
import { openTokenVerifier, type TokenVerifier } from '../access/token/token-verifier.ts'
import { fetchJson } from '../access/trust/key-set.ts'
import { trustedIssuers } from '../access/trust/outside-issuer.ts'
import { trustEntries } from '../access/trust/trust-entries.ts'
import type { Caches } from '../caches/caches.ts'
import type { Settings } from '../settings.ts'
import type { Store } from '../store/store.ts'
import type { Audit } from '../telemetry/access-event.ts'
import type { Log } from '../telemetry/log.ts'
import { audienceFor } from './access.ts'

/** What the verifier is opened on. */
export type VerifierSource = {
  settings: Pick<Settings, 'publicUrl' | 'trust'>
  store: Store
  log: Log
  record: Audit
  caches: Caches
  clock: () => number
}

/** Opens the verifier of tokens: those of this store, and those of the issuers that the settings trust. */
export async function openVerifierFor(source: VerifierSource): Promise<TokenVerifier> {
  const { settings, store, log, record, caches, clock } = source
  const audience = audienceFor(settings, store)
  const others = trustedIssuers(trustEntries(settings.trust, audience), {
    fetchJson,
    clock,
    changed: () => verifier.forget(),
    failed: error => log.warn({ err: error }, 'the keys of an issuer cannot be read'),
  })
  const readOwn = ownIssuerReader(store.database, audience, clock)
  const verifier = await openTokenVerifier({ readOwn, others, record, caches })
  return verifier
}
