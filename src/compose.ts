import { existsSync } from 'node:fs'
import { trustEntries } from './access/trust/trust-entries.ts'
import { audienceFor } from './compose/access.ts'
import { openParts, type ServiceSource, servicePartsOf } from './compose/service-parts.ts'
import { timedStore } from './compose/timed-store.ts'
import { API_PATH } from './contract/operations.ts'
import type { Outages } from './http/edge.ts'
import { withHostCheck } from './http/host-check.ts'
import { behindProxies, isWithin } from './http/proxies/trusted-proxies.ts'
import { type Listening, listen } from './http/server.ts'
import { makeService, type Service } from './http/service.ts'
import { keepUndoingCopies, undoAbandonedCopies } from './publishing/abandoned-copies.ts'
import { leaseAddress } from './serving/address-lease.ts'
import { changeHandler, watchChanges } from './serving/change-watcher.ts'
import { watchClock } from './serving/clock-watch.ts'
import { servedKeys } from './serving/served-keys.ts'
import type { StoreMonitor } from './serving/store-monitor.ts'
import type { Settings } from './settings.ts'
import type { FolderState, Live } from './site/live.ts'
import { unavailable } from './site/pages/unavailable.ts'
import { storePaths } from './store/paths.ts'
import type { Store } from './store/store.ts'
import type { Log, ServiceLog } from './telemetry/log.ts'
import { openMetrics } from './telemetry/metrics.ts'
import type { Tracing } from './telemetry/tracing.ts'

/** A service that answers. */
export type Running = {
  url: string
  baseUrl: string
  /** Where it listens, for programs on the same machine; the other two begin with the public URL, if there is one. */
  localUrl: string
  /** Serves what has changed in the store so far: tokens and links that were just made work from then on. */
  catchUp: () => Promise<void>
  /** Shows the state of the folder on the pages that are open, once everything published so far is served. */
  showFolder: (folder: FolderState) => void
  stop: () => Promise<void>
}

/** How a service differs from others on the same settings. */
type ServiceOptions = {
  /** Whether open pages follow each change. */
  isLive?: boolean
  /** The versions of the program and of Node, for metrics. */
  build?: Build
  tracing?: Tracing | undefined
}

/** Which program runs, on what: `0.1.0` on `26.10.0`. */
type Build = { version: string; node: string }

/**
 * Starts the service on a store, and serves what other processes publish until it is stopped.
 *
 * @throws {TrustError} before it listens, if the settings of a trusted issuer are wrong.
 */
export async function startService(
  settings: Settings,
  store: Store,
  log: Log & Partial<Pick<ServiceLog, 'dropped'>>,
  { isLive = false, build, tracing }: ServiceOptions = {},
): Promise<Running> {
  trustEntries(settings.trust, audienceFor(settings, store))
  await undoAbandonedCopies(store)
  const metrics = openMetrics(log.dropped)
  const reports = { log, observe: metrics.countRequest, shed: metrics.countShed, tracing }
  const server = await listen({ ...reports, ...listeningOf(settings) })
  metrics.watch('housestyle_connections', () => [[{}, server.connections()]])
  if (build) metrics.watch('housestyle_build_info', () => [[build, 1]])
  try {
    const localUrl = addressOf(server)
    const url = settings.publicUrl ?? localUrl
    // With a database and a bucket there may be no data folder, and none is made for what need not be kept.
    const cacheFolder = existsSync(settings.data) ? storePaths(settings.data).cache : undefined
    const shared = { settings, log, metrics, tracing, clock: store.clock.now, ticks: () => performance.now(), isLive }
    const timed = timedStore(store, enginesOf(settings), shared)
    const opened = await openService({ ...shared, store: timed, publicUrl: url, cacheFolder })
    const { service, handleChanges, live, monitor } = opened
    const changes = watchChanges(store.database, handleChanges, monitor)
    const stopUndoing = keepUndoingCopies(store, monitor.reporterFor('a copy that was left behind cannot be undone'))
    server.answerWith(isLive ? withHostCheck(settings.host, service) : service, url, opened.outages)
    const reporter = monitor.reporterFor('the address of the service cannot be kept in the store')
    const endLease = await leaseAddress(store.database, { url, clock: shared.clock, reporter })
    const catchUp = () => changes.checkNow()
    const showFolder = (folder: FolderState) => void catchUp().then(() => live?.update(folder))
    const stop = async () => {
      opened.drain()
      live?.close()
      await server.stop()
      await changes.stop()
      await stopUndoing()
      await endLease()
      await opened.close()
    }
    return { url, baseUrl: url + API_PATH, localUrl, catchUp, showFolder, stop }
  } catch (error) {
    await server.stop()
    throw error
  }
}

function listeningOf({ host, port, maxConnections, maxConnectionsPerAddress: perAddress, trustedProxies }: Settings) {
  const share = perAddress === undefined ? {} : { perAddress, isExempt: isWithin(trustedProxies) }
  return { host, port, limits: { connections: maxConnections, ...share } }
}

function enginesOf({ database, files }: Settings) {
  return {
    database: database === undefined ? 'sqlite' : 'postgres',
    files: files === undefined ? 'disk' : 's3',
  } as const
}

/** A service without a socket. */
export type OpenService = {
  service: Service
  /** Serves what has changed in the store since the last call. */
  handleChanges: () => Promise<void>
  live: Live | undefined
  monitor: StoreMonitor
  outages: Outages
  /** Says from now on that it is not ready, and goes on answering. */
  drain: () => void
  close: () => Promise<void>
}

/** Opens the service without a socket. */
export async function openService(source: ServiceSource): Promise<OpenService> {
  const parts = await openParts(source)
  const { caches, pointers, revisions, verifier, shares, monitor, filesMonitor, limits, website, readiness } = parts
  const service = makeService(servicePartsOf(source, parts))
  const stopClock = watchClock(source.store.clock, source.log)
  return {
    service: behindProxies(source.settings.trustedProxies, service),
    handleChanges: changeHandler(pointers, {
      refreshAccess: () => {
        shares.forget()
        return verifier.refresh()
      },
      moved: ({ published, unpublished }) => {
        if (published > 0) source.metrics.countPublications('published', published)
        if (unpublished > 0) source.metrics.countPublications('unpublished', unpublished)
      },
      dropReplaced: async id => {
        const state = pointers.inMemory(id)
        if (state) caches.keepContent(id, await servedKeys(state, revisions))
      },
    }),
    live: website.site.live,
    monitor,
    outages: {
      report: (error, requestId) => {
        const report = () => monitor.reportOutage(error, requestId)
        return filesMonitor?.reportOutage(error, report) || report()
      },
      reply: request => unavailable(request, website.site),
    },
    drain: readiness.drain,
    close: async () => {
      monitor.stop()
      stopClock()
      filesMonitor?.stop()
      limits.close()
      await website.close()
      await parts.compression.close()
    },
  }
}

/** The service's own address under these settings, before it is known which port a free one is. */
export function addressFor({ publicUrl, host, port }: Pick<Settings, 'publicUrl' | 'host' | 'port'>): string {
  return publicUrl ?? addressOf({ host, port })
}

function addressOf({ host, port }: Pick<Listening, 'host' | 'port'>): string {
  const local = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host
  return `http://${local.includes(':') && !local.startsWith('[') ? `[${local}]` : local}:${port}`
}
