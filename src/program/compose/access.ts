import { errorMessage } from '#platform/base/error.ts'
import { withReason } from '#platform/base/reason.ts'
import { openCaches } from '#platform/caches/caches.ts'
import type { Settings } from '#platform/settings/settings.ts'
import type { Audit } from '#platform/telemetry/access-event.ts'
import type { ClockWatch } from '#platform/telemetry/clock-watch.ts'
import type { Log } from '#platform/telemetry/log.ts'
import type { Metrics } from '#platform/telemetry/metrics.ts'
import type { AccessContext } from '#serving/access/context.ts'
import { openSigner } from '#serving/access/keys/keys.ts'
import { openShares } from '#serving/access/share/share-verifier.ts'
import { audienceOf, ownIssuerReader } from '#serving/access/token/own-issuer.ts'
import { openTokenVerifier } from '#serving/access/token/token-verifier.ts'
import { openFetchJson } from '#serving/access/trust/issuer-keys.ts'
import { trustEntries, trustedIssuers } from '#serving/access/trust/trust-entries.ts'
import type { Store } from '#store/store.ts'

/** Makes the context that changes the access to this store, and with `requests` verifies them. */
export function accessFor(
  settings: { publicUrl?: string | undefined; keySecret?: string | undefined },
  store: Pick<Store, 'database' | 'identity'>,
  record: Audit,
  requests: Partial<Pick<AccessContext, 'publicUrl' | 'clock' | 'caches' | 'markUse'>> = {},
): AccessContext {
  const { database, identity } = store
  const { keySecret } = settings
  const { publicUrl = settings.publicUrl ?? '', clock = Date.now, caches = openCaches(), markUse } = requests
  const audience = audienceOf(settings.publicUrl, identity.urn)
  const signer = openSigner(database, keySecret)
  return { database, identity, audience, signer, keySecret, record, publicUrl, clock, caches, markUse }
}

/** Watches issuers: their clocks, and failures to ask them. */
export type IssuerWatch = { clockWatch: ClockWatch; countFailure: Metrics['countIssuerFailure'] }

export async function openVerifiers(
  access: AccessContext,
  trust: Settings['trust'],
  { log, issuers }: { log: Log; issuers: IssuerWatch },
) {
  const { database, audience, clock } = access
  const { early } = issuers.clockWatch
  const others = trustedIssuers(trustEntries(trust, audience), {
    fetchJson: openFetchJson(issuers.clockWatch.compare),
    clock,
    early,
    changed: () => verifier.forget(),
    failed: error => {
      issuers.countFailure('trusted')
      log.warn({ err: error }, withReason('the keys of an issuer cannot be read', errorMessage(error)))
    },
  })
  const readOwn = ownIssuerReader(database, audience, clock, early)
  const verifier = await openTokenVerifier(access, readOwn, others)
  return { verifier, shares: openShares(access) }
}
