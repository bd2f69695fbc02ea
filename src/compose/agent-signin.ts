import { createHmac } from 'node:crypto'
import { openAddressThrottle } from '../access/client/address-throttle.ts'
import { endConnection } from '../access/client/connections.ts'
import type { LoginThrottle } from '../access/client/login-throttle.ts'
import type { AgentSigninParts } from '../signin/agents/agent-signin.ts'
import { openAuthorizationServer } from '../signin/agents/authorization-server.ts'
import { personCoverage } from '../signin/agents/person-coverage.ts'
import { clientsOf } from './access.ts'
import type { Parts, ServiceSource } from './service-parts.ts'

/** The parts that let people's programs read for them. */
export function agentSigninParts(source: ServiceSource, parts: Parts, throttle: LoginThrottle): AgentSigninParts {
  const { store, publicUrl, clock, ticks } = source
  const { caches, record, website, tokenIssuer, verifier, sessions, shares, signins, pointers, openPublication } = parts
  const { database, identity } = store
  const { assets, paths } = website.site
  const end = async (id: string) => void (await endConnection(database, record, id, new Date(clock())))
  const server = openAuthorizationServer({
    publicUrl,
    database,
    clock,
    assets,
    fetch: parts.fetchUntrusted,
    mayAuthorize: openAddressThrottle(ticks, caches, 'authorizations', MAX_PER_MINUTE),
    mayFetch: openAddressThrottle(ticks, caches, 'client-fetches', MAX_PER_MINUTE),
    endConnection: end,
  })
  return {
    server,
    throttle,
    assets,
    paths,
    publicUrl,
    database,
    clock,
    record,
    sessions,
    shares,
    pointers,
    openPublication,
    signins,
    secret: createHmac('sha256', identity.clientSecret).update('consent forms').digest(),
    tokenIssuer,
    verifier,
    clients: clientsOf(store, record),
    personCoverage: personCoverage(database),
    endConnection: end,
    reportOutage: parts.monitor.reportOutage,
  }
}

/** Requests of one network that begin an authorization, or that read the metadata of a program. */
const MAX_PER_MINUTE = 60
