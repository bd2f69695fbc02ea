import { createHmac } from 'node:crypto'
import { openAddressThrottle } from '../access/client/address-throttle.ts'
import { endConnection } from '../access/client/connections.ts'
import type { Caches } from '../caches/caches.ts'
import type { OutgoingFetch } from '../outgoing/outgoing-fetch.ts'
import type { AgentSigninParts } from '../signin/agents/agent-signin.ts'
import { personCoverage } from '../signin/agents/connection/person-coverage.ts'
import { openAuthorizationServer } from '../signin/agents/server/authorization-server.ts'
import type { PeopleParts } from '../signin/people/people-parts.ts'
import { canRefresh } from '../signin/people/refreshed-person.ts'
import type { SiteParts } from '../site/site-parts.ts'
import type { Store } from '../store/store.ts'
import { clientsOf } from './access.ts'

type AgentSource = { store: Store; publicUrl: string; clock: () => number; ticks: () => number }

/** The parts of the service on which the sign-in of programs depends. */
type SharedParts = Pick<
  AgentSigninParts,
  'record' | 'tokenIssuer' | 'verifier' | 'shares' | 'pointers' | 'openPublication' | 'reportOutage' | 'throttle'
> & { caches: Caches; site: SiteParts; people: PeopleParts; fetchUntrusted: OutgoingFetch }

/** The parts that let people's programs read for them. */
export function agentSigninParts(
  { store, publicUrl, clock, ticks }: AgentSource,
  { caches, site, people, fetchUntrusted, ...shared }: SharedParts,
): AgentSigninParts {
  const { database, identity } = store
  const { record } = shared
  const { signins, sessions, sessionMs } = people
  const { assets, paths } = site
  const end = async (id: string) => void (await endConnection(database, record, id, new Date(clock())))
  const server = openAuthorizationServer({
    publicUrl,
    database,
    clock,
    assets,
    fetch: fetchUntrusted,
    mayAuthorize: openAddressThrottle(ticks, caches, 'authorizations', MAX_PER_MINUTE),
    mayFetch: openAddressThrottle(ticks, caches, 'client-fetches', MAX_PER_MINUTE),
    endConnection: end,
    personCoverage: personCoverage({ ...people, database, signins }),
  })
  return {
    ...shared,
    server,
    assets,
    paths,
    publicUrl,
    database,
    clock,
    sessions,
    signins,
    sessionMs,
    canRefresh: tokens => canRefresh(people, tokens),
    secret: createHmac('sha256', identity.clientSecret).update('consent forms').digest(),
    clients: clientsOf(store, record),
    endConnection: end,
  }
}

/** Requests of one network that begin an authorization, or that read the metadata of a program. */
const MAX_PER_MINUTE = 60
