import { createHmac } from 'node:crypto'
import { loadAuthorizationServer } from '#people/signin/agents/server/authorization-server.ts'
import { MAX_DOCUMENT_BYTES } from '#people/signin/agents/server/client-document.ts'
import type { SigninContext } from '#people/signin/context.ts'
import { deriveKey, issuerTokensKey, openIssuerClients } from '#people/signin/people/issuer-clients.ts'
import { once } from '#platform/base/promise.ts'
import { type OutgoingFetch, trustedFetch, untrustedFetch } from '#platform/outgoing/outgoing-fetch.ts'
import type { Audit } from '#platform/telemetry/access-event.ts'
import { openAddressThrottle, openLoginThrottle } from '#serving/access/client/throttles.ts'
import { connections } from '#serving/access/families.ts'
import type { Site } from '#site/site.ts'
import type { Shared } from './shared.ts'

export function signinContext(shared: Shared, site: Site): SigninContext {
  const { source, access, service, people, health } = shared
  const { settings, ticks } = source
  const { publicUrl, identity, keySecret, clock, caches } = access
  const { shareSecret } = identity
  const targets = { allow: settings.outgoingAllow, publicUrl }
  const context: SigninContext = {
    settings,
    access,
    service,
    site,
    signins: people.signins,
    sessions: people.sessions,
    log: source.log,
    reportOutage: health.monitor.reportOutage,
    clientOf: openIssuerClients(watchedFetch(shared), keySecret, clock),
    refreshes: new Map(),
    authorizationServer: once(() => loadAuthorizationServer(context)),
    endConnection: async (id, reason) => {
      const record: Audit = event => access.record({ ...event, reason })
      await connections.end({ ...access, record }, id, new Date(clock()))
    },
    fetchUntrusted: untrustedFetch(targets, { maxBytes: MAX_DOCUMENT_BYTES }),
    mayAuthorize: openAddressThrottle(ticks, caches, 'authorizations', MAX_PER_MINUTE),
    mayFetch: openAddressThrottle(ticks, caches, 'client-fetches', MAX_PER_MINUTE),
    throttle: openLoginThrottle(ticks, caches),
    formSecret: createHmac('sha256', identity.clientSecret).update('consent forms').digest(),
    flowKey: deriveKey(shareSecret, 'sign-in under way'),
    issuerTokensKey: issuerTokensKey(shareSecret, keySecret),
  }
  return context
}

/** Counts failures of issuers. A 400 is not one, because any visitor can cause it with a wrong code. */
function watchedFetch({ issuers }: Shared): OutgoingFetch {
  const fetch = trustedFetch({ seen: issuers.clockWatch.compare })
  return async (...asked) => {
    try {
      const reply = await fetch(...asked)
      if (!reply.ok && reply.status !== 400) issuers.countFailure('sign-in')
      return reply
    } catch (error) {
      issuers.countFailure('sign-in')
      throw error
    }
  }
}

/** Requests of one network that begin an authorization, or that read the metadata of a program. */
const MAX_PER_MINUTE = 60
