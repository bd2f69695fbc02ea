import type { VerifierContext } from '../access/context.ts'
import { openShares, type Shares } from '../access/share/share-verifier.ts'
import { ownIssuerReader } from '../access/token/own-issuer.ts'
import { openTokenVerifier, type TokenVerifier } from '../access/token/token-verifier.ts'
import { fetchJson } from '../access/trust/key-set.ts'
import { trustedIssuers } from '../access/trust/outside-issuer.ts'
import { trustEntries } from '../access/trust/trust-entries.ts'
import type { Settings } from '../settings.ts'
import type { Log } from '../telemetry/log.ts'

/** What verifies tokens and share links. */
export type Verifiers = { verifier: TokenVerifier; shares: Shares }

export async function openVerifiers(context: VerifierContext, trust: Settings['trust'], log: Log): Promise<Verifiers> {
  const { database, audience, clock } = context
  const others = trustedIssuers(trustEntries(trust, audience), {
    fetchJson,
    clock,
    changed: () => verifier.forget(),
    failed: error => log.warn({ err: error }, 'the keys of an issuer cannot be read'),
  })
  const readOwn = ownIssuerReader(database, audience, clock)
  const verifier = await openTokenVerifier(context, readOwn, others)
  return { verifier, shares: openShares(context) }
}
