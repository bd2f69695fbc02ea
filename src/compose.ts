import { setFlagsFromString } from 'node:v8'
import { openLoginThrottle } from './access/client/login-throttle.ts'
import { publicKeySet } from './access/keys/signing.ts'
import { openShares } from './access/share/share-verifier.ts'
import { ownIssuerReader } from './access/token/own-issuer.ts'
import { openTokenVerifier } from './access/token/token-verifier.ts'
import { fetchJson } from './access/trust/key-set.ts'
import { trustedIssuers } from './access/trust/outside-issuer.ts'
import { trustEntries } from './access/trust/trust-entries.ts'
import { type Caches, openCaches } from './caches/caches.ts'
import { audienceFor, clientsOf, sharesOf, tokenIssuerFor } from './compose/access.ts'
import { type OpenLimit, openLimit } from './compose/limit.ts'
import { openWebsite, type Website } from './compose/website.ts'
import { API_PATH } from './contract/operations.ts'
import { withHostCheck } from './http/host-check.ts'
import { behindProxies } from './http/proxies/trusted-proxies.ts'
import { type Listening, listen } from './http/server.ts'
import { makeService, type Service } from './http/service.ts'
import { serviceRoutes } from './http/service-routes.ts'
import { keepUndoingCopies, undoAbandonedCopies } from './publishing/project-ref.ts'
import { followerOf, watchChanges } from './serving/change-watcher.ts'
import { openPointers } from './serving/pointers.ts'
import { openPublications } from './serving/publications.ts'
import { openReadiness, type StoreWatch, watchStore } from './serving/readiness.ts'
import { openResponseCache } from './serving/response-cache.ts'
import { servedRevisions } from './serving/revisions.ts'
import { servedKeys } from './serving/served-keys.ts'
import type { Settings } from './settings.ts'
import type { FolderState, Live } from './site/live.ts'
import type { Store } from './store/store.ts'
import { type Audit, openAudit } from './telemetry/access-event.ts'
import type { Log, ServiceLog } from './telemetry/log.ts'
import { type Metrics, openMetrics } from './telemetry/metrics.ts'

/** A service that answers. */
export type Running = {
  url: string
  baseUrl: string
  /** Once all that was published is served, has the pages that are open show it, and how their folder stands. */
  tell: (folder: FolderState) => void
  stop: () => Promise<void>
}

/**
 * Starts the service on a store, and follows what other processes publish until it is stopped. Where it is live, pages
 * listen to what they are told, and change as it does.
 *
 * @throws {TrustError} before it listens, where an issuer cannot be trusted as it is written.
 */
export async function startService(
  settings: Settings,
  store: Store,
  log: Log & Partial<Pick<ServiceLog, 'dropped'>>,
  isLive = false,
): Promise<Running> {
  trustEntries(settings.trust, audienceFor(settings, store))
  setFlagsFromString(SMALL_HEAP)
  await undoAbandonedCopies(store)
  const metrics = openMetrics(log.dropped)
  const server = await listen(settings.host, settings.port, log, metrics.countRequest)
  try {
    const url = settings.publicUrl ?? addressOf(server)
    const clocks = { clock: () => Date.now(), ticks: () => performance.now() }
    const source = { settings, store, log, metrics, url, isLive, ...clocks }
    const { service, follow, live, watch, drain, close } = await openService(source)
    const following = watchChanges(store.database, follow, watch)
    const stopUndoing = keepUndoingCopies(store, watch.lookFrom('a copy that was left behind cannot be undone'))
    server.answerWith(isLive ? withHostCheck(settings.host, service) : service, url, watch.tellOutage)
    const tell = (folder: FolderState) => void following.now().then(() => live?.tell(folder))
    const stop = async () => {
      drain()
      live?.close()
      await server.stop()
      await following.end()
      await stopUndoing()
      await close()
    }
    return { url, baseUrl: `${url}${API_PATH}`, tell, stop }
  } catch (error) {
    await server.stop()
    throw error
  }
}

/**
 * Has V8 collect when the heap is a third larger than what is in use; by itself it waits until it is several times as
 * large, which is hundreds of megabytes after the index of a large guide was made. It is looked at at each collection.
 */
const SMALL_HEAP = '--heap-growing-percent=30'

/** What the service is opened on. */
export type ServiceSource = {
  settings: Pick<
    Settings,
    'publicUrl' | 'rate' | 'limits' | 'cors' | 'keySecret' | 'trust' | 'trustedProxies' | 'readyGrace'
  >
  store: Store
  log: Log
  metrics: Metrics
  /** The service's own address, without a slash at its end. */
  url: string
  /** The time of day, in milliseconds. */
  clock: () => number
  /** Milliseconds that never go back. */
  ticks: () => number
  /** Whether pages listen to what changes. */
  isLive?: boolean
}

/** A service without a socket; `follow` has it notice what has moved in the store. */
export type OpenService = {
  service: Service
  follow: () => Promise<void>
  live: Live | undefined
  watch: StoreWatch
  /** From now on it says that it is not ready, and goes on answering. */
  drain: () => void
  close: () => Promise<void>
}

/** Opens the service without a socket. */
export async function openService(source: ServiceSource): Promise<OpenService> {
  const { settings, store, log, metrics, url, clock, ticks, isLive = false } = source
  const { database } = store
  const record = openAudit(log, metrics)
  const tokenIssuer = tokenIssuerFor(settings, store, record)
  await tokenIssuer.signer(new Date(clock()))
  const caches = openCaches()
  metrics.watchCaches(caches.usage)
  const verifier = await openGateOf(source, record, caches)
  const pointers = await openPointers(database)
  const shares = await openShares({ ...sharesOf(store, record), publicUrl: url, clock }) // After the pointers, so that none is missed.
  const openPublication = openPublications(database, caches)
  const revisions = servedRevisions(database, openPublication)
  const shared = { pointers, openPublication, publicUrl: url, verifier, clock, ticks, record }
  const site = openWebsite({ ...shared, store, log, metrics, shares, revisions, caches, isLive })
  const limit = await openLimit(settings, log, metrics)
  const watch = watchStore(store, log, ticks)
  const { readiness, drain } = readinessFor(settings, watch, limit)
  const api = { ...shared, prepared: openResponseCache(caches, 'replies'), addresses: site.urls, revisions }
  const throttle = openLoginThrottle(ticks, caches)
  const own = { publicUrl: url, assets: site.assets, readiness, metrics: metrics.text }
  const service = makeService({
    api: { ...api, ...(limit && { limit }) },
    tokens: {
      ...{ tokenIssuer, clients: clientsOf(store, record), throttle, tellOutage: watch.tellOutage },
      ...{ baseUrl: `${url}${API_PATH}`, publicUrl: url, clock, log },
    },
    site,
    own: serviceRoutes({ ...own, keySet: () => publicKeySet(database) }),
    origins: new Set(settings.cors),
  })
  const dropReplaced = async (id: string) => caches.keepContent(id, await servedKeys(pointers.workspace(id), revisions))
  const refreshAccess = () => Promise.all([verifier.refresh(), shares.refresh()])
  const close = () => closeAll(watch, limit, site)
  const follow = followerOf(pointers, { refreshAccess, dropReplaced })
  return { service: behindProxies(settings.trustedProxies, service), follow, live: site.live, watch, drain, close }
}

async function closeAll(watch: StoreWatch, limit: OpenLimit | undefined, site: Website): Promise<void> {
  watch.end()
  limit?.close?.()
  await site.close()
}

function readinessFor({ readyGrace }: Pick<Settings, 'readyGrace'>, watch: StoreWatch, limit: OpenLimit | undefined) {
  return openReadiness({ watch, graceMs: readyGrace * 1000, isLimitShared: () => limit?.isShared?.() })
}

async function openGateOf({ settings, store, log, clock }: ServiceSource, record: Audit, caches: Caches) {
  const { database } = store
  const audience = audienceFor(settings, store)
  const others = trustedIssuers(trustEntries(settings.trust, audience), {
    ...{ fetchJson, clock },
    changed: () => verifier.forget(),
    failed: error => log.warn({ err: error }, 'the keys of an issuer cannot be read'),
  })
  const verifier = await openTokenVerifier({
    readOwn: ownIssuerReader(database, audience, clock),
    others,
    record,
    caches,
  })
  return verifier
}

/** The service's own address under these settings, before it is known which port a free one is. */
export function addressFor({ publicUrl, host, port }: Pick<Settings, 'publicUrl' | 'host' | 'port'>): string {
  return publicUrl ?? addressOf({ host, port })
}

function addressOf({ host, port }: Pick<Listening, 'host' | 'port'>): string {
  const local = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host
  return `http://${local.includes(':') && !local.startsWith('[') ? `[${local}]` : local}:${port}`
}
