import type { ClientParts } from '../access/client/clients.ts'
import { openSigner } from '../access/keys/signing.ts'
import type { ShareParts } from '../access/share/shares.ts'
import type { TokenIssuer } from '../access/token/issue.ts'
import { type Audience, audienceOf } from '../access/token/own-issuer.ts'
import type { Settings } from '../settings.ts'
import type { Store } from '../store/store.ts'
import { type Audit, openAudit } from '../telemetry/access-event.ts'
import { openLog, openServiceLog, type ServiceLog } from '../telemetry/log.ts'

/** The log of a service on stderr, as the settings ask for it. */
export function serviceLogFor(settings: Settings, isTerminal: boolean): Promise<ServiceLog> {
  return openServiceLog(settings.log, isTerminal)
}

/**
 * Records what a command does to access in the log that the settings ask for. A person at a terminal, whom the command
 * tells what it did, gets that record only if a log level is given.
 */
export async function auditFor(settings: Settings & { isLogGiven: boolean }, isTerminal: boolean): Promise<Audit> {
  return openAudit(await openLog(isTerminal && !settings.isLogGiven ? 'warn' : settings.log, isTerminal))
}

/** What tokens of this store are issued with, under these settings. */
export function tokenIssuerFor(
  settings: Pick<Settings, 'publicUrl' | 'keySecret'>,
  store: Store,
  record: Audit,
): TokenIssuer {
  const { database } = store
  const signer = openSigner(database, settings.keySecret)
  return { database, audience: audienceFor(settings, store), signer, record }
}

/** What the clients of this store are read and changed with. */
export function clientsOf({ database, identity }: Store, record: Audit): ClientParts {
  return { database, secret: identity.clientSecret, record }
}

/** What the share links of this store are read and changed with. */
export function sharesOf({ database, identity }: Store, record: Audit): ShareParts {
  return { database, secret: identity.shareSecret, record }
}

/** What tokens of this store name as their issuer and audience. */
export function audienceFor({ publicUrl }: Pick<Settings, 'publicUrl'>, { identity }: Store): Audience {
  return audienceOf(publicUrl, identity.urn)
}
