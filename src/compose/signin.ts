import { createHmac } from 'node:crypto'
import { openAddressThrottle } from '../access/client/address-throttle.ts'
import { openLoginThrottle } from '../access/client/login-throttle.ts'
import type { VerifierContext } from '../access/context.ts'
import { connections } from '../access/families.ts'
import { openSignins } from '../access/session/open-signins.ts'
import { openSessions, type Sessions } from '../access/session/session-verifier.ts'
import { andThen, once } from '../base/promise.ts'
import { basePath } from '../exchange/target.ts'
import { trustedFetch, untrustedFetch } from '../outgoing/outgoing-fetch.ts'
import type { Settings } from '../settings.ts'
import { loadAuthorizationServer } from '../signin/agents/server/authorization-server.ts'
import { MAX_DOCUMENT_BYTES } from '../signin/agents/server/client-document.ts'
import type { SigninContext } from '../signin/context.ts'
import { openIssuerClients } from '../signin/people/issuer/issuer-clients.ts'
import { deriveKey, issuerTokensKey } from '../signin/people/issuer/issuer-tokens.ts'
import { openProxiedPeople } from '../signin/people/proxied-people.ts'
import { findContact } from '../store/catalogue/catalogue.ts'
import type { Log } from '../telemetry/log.ts'

type SigninSource = {
  settings: Pick<Settings, 'sessionHours' | 'logEmail' | 'outgoingAllow'>
  log: Log
  ticks: () => number
}

/** The people of a service, whom also the website asks for. */
type People = Pick<SigninContext, 'signins' | 'sessions' | 'refusedPerson' | 'contactOf'>

/** Opens the settings of issuers, and the people who are signed in: with a session, or by a proxy. */
export async function openPeople({ settings, log }: SigninSource, access: VerifierContext): Promise<People> {
  const signins = await openSignins(access.database)
  const sessions = openSessions(access)
  const proxied = openProxiedPeople({ ...access, signins, isEmailLogged: settings.logEmail, log })
  const person: Sessions['person'] = (request, workspace) =>
    andThen(
      sessions.person(request, workspace),
      signedIn => signedIn ?? (request.assertions && proxied.person(request, workspace)),
    )
  const forget = () => {
    sessions.forget()
    proxied.forget()
  }
  const contactOf = (workspace: string) => findContact(access.database, workspace)
  return { signins, sessions: { ...sessions, person, forget }, refusedPerson: proxied.refused, contactOf }
}

/** The parts of the service with which people sign in. */
type Shared = People &
  Pick<SigninContext, 'assets' | 'paths' | 'pointers' | 'openPublication' | 'shares' | 'verifier' | 'reportOutage'>

/** Makes everything with which people sign in and out, and let their programs read for them. */
export function signinContext(source: SigninSource, access: VerifierContext, shared: Shared): SigninContext {
  const { settings, log, ticks } = source
  const { publicUrl, identity, keySecret, clock, caches } = access
  const { shareSecret } = identity
  const targets = { allow: settings.outgoingAllow, publicUrl }
  const context: SigninContext = {
    ...access,
    ...shared,
    base: basePath(publicUrl),
    sessionMs: settings.sessionHours * HOUR_MS,
    isEmailLogged: settings.logEmail,
    clientOf: openIssuerClients(trustedFetch(), keySecret, clock),
    refreshes: new Map(),
    authorizationServer: once(() => loadAuthorizationServer(context)),
    endConnection: async id => void (await connections.end(access, id, new Date(clock()))),
    fetchUntrusted: untrustedFetch(targets, { maxBytes: MAX_DOCUMENT_BYTES }),
    mayAuthorize: openAddressThrottle(ticks, caches, 'authorizations', MAX_PER_MINUTE),
    mayFetch: openAddressThrottle(ticks, caches, 'client-fetches', MAX_PER_MINUTE),
    throttle: openLoginThrottle(ticks, caches),
    formSecret: createHmac('sha256', identity.clientSecret).update('consent forms').digest(),
    flowKey: deriveKey(shareSecret, 'sign-in under way'),
    issuerTokensKey: issuerTokensKey(shareSecret, keySecret),
    log,
  }
  return context
}

const HOUR_MS = 3600 * 1000

/** Requests of one network that begin an authorization, or that read the metadata of a program. */
const MAX_PER_MINUTE = 60
