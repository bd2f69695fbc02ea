import { openSignins, type Signins } from '../access/session/open-signins.ts'
import { openSessions, type Sessions } from '../access/session/session-verifier.ts'
import type { SigninParts } from '../access/session/signins.ts'
import { fetchJson } from '../access/trust/key-set.ts'
import { andThen } from '../base/promise.ts'
import type { Caches } from '../caches/caches.ts'
import type { Request } from '../exchange/message.ts'
import { trustedFetch } from '../outgoing/outgoing-fetch.ts'
import type { Settings } from '../settings.ts'
import { flowCookies } from '../signin/people/flow-cookie.ts'
import { flowKey, issuerTokensKey } from '../signin/people/issuer/encryption-keys.ts'
import { openIssuerClients } from '../signin/people/issuer/issuer-clients.ts'
import type { PeopleParts } from '../signin/people/people-parts.ts'
import { openProxiedPeople } from '../signin/people/proxied-people.ts'
import type { SiteParts } from '../site/site-parts.ts'
import { findContact } from '../store/catalogue/catalogue.ts'
import type { Store } from '../store/store.ts'
import type { Audit } from '../telemetry/access-event.ts'
import type { Log } from '../telemetry/log.ts'

/** The parts that read and change how people sign in to this store. */
export function signinsOf(
  { keySecret }: Pick<Settings, 'keySecret'>,
  { database }: Pick<Store, 'database'>,
  record: Audit,
): SigninParts {
  return { database, keySecret, record }
}

type PeopleSource = {
  settings: Pick<Settings, 'keySecret' | 'sessionHours' | 'logEmail'>
  store: Pick<Store, 'database' | 'identity'>
  log: Log
  clock: () => number
}

/** Opens the settings of issuers, and the people who are signed in: with a session, or by a proxy. */
export async function openPeople(
  { settings, store, publicUrl, log, clock }: PeopleSource & { publicUrl: string },
  caches: Caches,
  record: Audit,
): Promise<{ signins: Signins; sessions: Sessions } & Pick<PeopleParts, 'refusedPerson' | 'contactOf'>> {
  const { database, identity } = store
  const signins = await openSignins(database)
  const sessions = openSessions({ database, secret: identity.shareSecret, publicUrl, clock, caches })
  const proxied = openProxiedPeople({
    signins,
    fetchJson,
    secret: identity.shareSecret,
    caches,
    clock,
    record,
    isEmailLogged: settings.logEmail,
    keysFailed: error => log.warn({ err: error }, 'the keys of a proxy cannot be read'),
  })
  const person: Sessions['person'] = (request, workspace) =>
    andThen(sessions.person(request, workspace), found => {
      if (found || !request.assertions) return found
      return proxied.person(request, workspace)
    })
  const forget = () => {
    sessions.forget()
    proxied.forget()
  }
  const contactOf = (workspace: string) => findContact(database, workspace)
  return { signins, sessions: { ...sessions, person, forget }, refusedPerson: proxied.refused, contactOf }
}

/** The parts that sign people in and out. */
export function peoplePartsOf(
  { settings, store, log, clock }: PeopleSource,
  { site, signins, sessions, record }: { site: SiteParts; signins: Signins; sessions: Sessions; record: Audit },
): PeopleParts {
  const { assets, publicUrl, base } = site
  const { shareSecret: secret } = store.identity
  const { keySecret } = settings
  const key = flowKey(secret)
  const [plain, secure] = [flowCookies({ isSecure: false, key, clock }), flowCookies({ isSecure: true, key, clock })]
  return {
    assets,
    publicUrl,
    base,
    signins,
    sessions,
    clientOf: openIssuerClients({ fetch: trustedFetch(), keySecret, clock }),
    flows: ({ isHttps = false }: Request) => (isHttps || publicUrl.startsWith('https:') ? secure : plain),
    issuerTokensKey: issuerTokensKey(secret, keySecret),
    refusedPerson: site.refusedPerson,
    contactOf: site.contactOf,
    secret,
    sessionMs: settings.sessionHours * HOUR_MS,
    isEmailLogged: settings.logEmail,
    clock,
    record,
    log,
  }
}

const HOUR_MS = 3600 * 1000
