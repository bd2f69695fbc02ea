import type { ClientParts } from '../access/client/clients.ts'
import { openSigner } from '../access/keys/signing.ts'
import type { ShareParts } from '../access/share/shares.ts'
import type { TokenIssuer } from '../access/token/issue.ts'
import { type Audience, audienceOf } from '../access/token/own-issuer.ts'
import type { Settings } from '../settings.ts'
import type { Store } from '../store/store.ts'
import { type Audit, openAudit } from '../telemetry/access-event.ts'
import { openLog, openServiceLog, type ServiceLog } from '../telemetry/log.ts'

/** Opens the log of a service on stderr with these settings. */
export function serviceLogFor(settings: Settings, isTerminal: boolean): ServiceLog {
  return openServiceLog(settings.log, isTerminal)
}

/**
 * Opens the audit log of a command. At a terminal, the command itself reports its changes, so the log repeats them only
 * if a log level is given.
 */
export function auditFor(settings: Settings & { isLogGiven: boolean }, isTerminal: boolean): Audit {
  return openAudit(openLog(isTerminal && !settings.isLogGiven ? 'warn' : settings.log, isTerminal))
}

/** The parts that issue tokens of this store. */
export function tokenIssuerFor(
  settings: Pick<Settings, 'publicUrl' | 'keySecret'>,
  store: Store,
  record: Audit,
): TokenIssuer {
  const { database } = store
  const signer = openSigner(database, settings.keySecret)
  return { database, audience: audienceFor(settings, store), signer, record }
}

/** The parts that read and change the clients of this store. */
export function clientsOf({ database, identity }: Store, record: Audit): ClientParts {
  return { database, secret: identity.clientSecret, record }
}

/** The parts that read and change the share links of this store. */
export function sharesOf({ database, identity }: Store, record: Audit): ShareParts {
  return { database, secret: identity.shareSecret, record }
}

/** The issuer and audience in the tokens of this store. */
export function audienceFor({ publicUrl }: Pick<Settings, 'publicUrl'>, { identity }: Store): Audience {
  return audienceOf(publicUrl, identity.urn)
}
