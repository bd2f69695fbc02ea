import { createHmac } from 'node:crypto'
import { openAddressThrottle } from '../access/client/address-throttle.ts'
import { openLoginThrottle } from '../access/client/login-throttle.ts'
import type { VerifierContext } from '../access/context.ts'
import { connections } from '../access/families.ts'
import { openSignins } from '../access/session/open-signins.ts'
import { openSessions, type Sessions } from '../access/session/session-verifier.ts'
import { andThen, once } from '../base/promise.ts'
import type { Caches } from '../caches/caches.ts'
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
import type { Store } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'

type SigninSource = {
  settings: Pick<Settings, 'keySecret' | 'sessionHours' | 'logEmail' | 'outgoingAllow'>
  store: Store
  publicUrl: string
  log: Log
  clock: () => number
  ticks: () => number
}

/** The people of a service, whom also the website asks for. */
type People = Pick<SigninContext, 'signins' | 'sessions' | 'refusedPerson' | 'contactOf'>

/** Opens the settings of issuers, and the people who are signed in: with a session, or by a proxy. */
export async function openPeople({ settings, log }: SigninSource, context: VerifierContext): Promise<People> {
  const { database, identity, caches, clock, record } = context
  const signins = await openSignins(database)
  const sessions = openSessions(context)
  const { shareSecret: subjectSecret } = identity
  const proxied = openProxiedPeople(
    { signins, subjectSecret, clock, record, isEmailLogged: settings.logEmail, log },
    caches,
  )
  const person: Sessions['person'] = (request, workspace) =>
    andThen(
      sessions.person(request, workspace),
      signedIn => signedIn ?? (request.assertions && proxied.person(request, workspace)),
    )
  const forget = () => {
    sessions.forget()
    proxied.forget()
  }
  const contactOf = (workspace: string) => findContact(database, workspace)
  return { signins, sessions: { ...sessions, person, forget }, refusedPerson: proxied.refused, contactOf }
}

/** The parts of the service with which people sign in. */
type Shared = People &
  Pick<
    SigninContext,
    'assets' | 'paths' | 'pointers' | 'openPublication' | 'shares' | 'verifier' | 'access' | 'record' | 'reportOutage'
  >

/** Makes everything with which people sign in and out, and let their programs read for them. */
export function signinContext(source: SigninSource, shared: Shared, caches: Caches): SigninContext {
  const { settings, store, publicUrl, log, clock, ticks } = source
  const { keySecret } = settings
  const { database, identity } = store
  const { shareSecret: subjectSecret } = identity
  const targets = { allow: settings.outgoingAllow, publicUrl }
  const context: SigninContext = {
    ...shared,
    publicUrl,
    base: basePath(publicUrl),
    database,
    sessionMs: settings.sessionHours * HOUR_MS,
    isEmailLogged: settings.logEmail,
    clientOf: openIssuerClients(trustedFetch(), keySecret, clock),
    refreshes: new Map(),
    authorizationServer: once(() => loadAuthorizationServer(context)),
    endConnection: async id => void (await connections.end(shared.access, id, new Date(clock()))),
    fetchUntrusted: untrustedFetch(targets, { maxBytes: MAX_DOCUMENT_BYTES }),
    mayAuthorize: openAddressThrottle(ticks, caches, 'authorizations', MAX_PER_MINUTE),
    mayFetch: openAddressThrottle(ticks, caches, 'client-fetches', MAX_PER_MINUTE),
    throttle: openLoginThrottle(ticks, caches),
    subjectSecret,
    formSecret: createHmac('sha256', identity.clientSecret).update('consent forms').digest(),
    flowKey: deriveKey(subjectSecret, 'sign-in under way'),
    issuerTokensKey: issuerTokensKey(subjectSecret, keySecret),
    clock,
    log,
  }
  return context
}

const HOUR_MS = 3600 * 1000

/** Requests of one network that begin an authorization, or that read the metadata of a program. */
const MAX_PER_MINUTE = 60
