import type { ClientParts } from '../access/client/clients.ts'
import { openSigner } from '../access/keys/signing.ts'
import type { ShareParts } from '../access/share/shares.ts'
import type { TokenIssuer } from '../access/token/issue.ts'
import { type Audience, audienceOf } from '../access/token/own-issuer.ts'
import type { Settings } from '../settings.ts'
import type { Store } from '../store/store.ts'
import { type Audit, openAudit } from '../telemetry/access-event.ts'
import { openLog, openServiceLog, type ServiceLog } from '../telemetry/log.ts'

/** The log that the settings ask for, on stderr, of a service. */
export function serviceLogFor(settings: Settings, isTerminal: boolean): Promise<ServiceLog> {
  return openServiceLog(settings.log, isTerminal)
}

/** Takes down what a command does to access, in the log that the settings ask for. */
export async function auditFor(settings: Settings, isTerminal: boolean): Promise<Audit> {
  return openAudit(await openLog(settings.log, isTerminal))
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

/** What clients of this store are kept with. */
export function clientsOf({ database, identity }: Store, record: Audit): ClientParts {
  return { database, secret: identity.clientSecret, record }
}

/** What share links of this store are kept with. */
export function sharesOf({ database, identity }: Store, record: Audit): ShareParts {
  return { database, secret: identity.shareSecret, record }
}

/** What tokens of this store name as their issuer and audience. */
export function audienceFor({ publicUrl }: Pick<Settings, 'publicUrl'>, { identity }: Store): Audience {
  return audienceOf(publicUrl, identity.urn)
}
