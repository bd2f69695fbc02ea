import { existsSync } from 'node:fs'
import { basePath } from '../exchange/target.ts'
import { isWithin } from '../http/proxies/trusted-proxies.ts'
import { isAboutState } from '../http/request-kind.ts'
import { type ListenOptions, listen } from '../http/server.ts'
import { withHostCheck } from '../http/service/host-check.ts'
import type { Service } from '../http/service/service.ts'
import type { ReadinessState } from '../serving/health/readiness.ts'
import type { StoreMonitor } from '../serving/health/store-monitor.ts'
import { type ChangeWatcher, watchChanges } from '../serving/pointers/change-watcher.ts'
import type { Settings } from '../settings.ts'
import type { FolderState } from '../site/live.ts'
import { storePaths } from '../store/paths.ts'
import type { Store } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Tracing } from '../telemetry/tracing.ts'
import { addressOf } from './address.ts'
import { openService } from './open-service.ts'
import type { ServiceSource } from './service-parts.ts'
import { timedStore } from './timed-store.ts'

/** What is served, and how this thread serves it. */
type ServeOptions = {
  settings: Settings
  store: Store
  log: Log
  metrics: Metrics
  tracing: Tracing | undefined
  /** Whether open pages follow each change. */
  isLive?: boolean
  /** Set if this thread is one of several. */
  thread?: { parts: NonNullable<ServiceSource['threadParts']>; listening: Pick<ListenOptions, 'limits' | 'shared'> }
}

/** A thread that answers. */
type ServingHere = {
  url: string
  localUrl: string
  monitor: StoreMonitor
  catchUp: () => Promise<void>
  readiness: () => Promise<ReadinessState>
  showFolder: (folder: FolderState) => void
  stop: () => Promise<void>
}

/** Listens, and answers from a store what this thread is asked, until it is stopped. */
export async function serveHere(options: ServeOptions): Promise<ServingHere> {
  const { settings, store, log, metrics, tracing, isLive = false, thread } = options
  const reports = { log, observe: metrics.countRequest, shed: metrics.countShed, tracing }
  const { limits, ...own } = listeningOf(settings)
  const listening = { ...own, ...thread?.listening, limits: { ...limits, ...thread?.listening.limits } }
  const server = await listen({ ...reports, ...listening })
  metrics.watch('housestyle_connections', () => [[{}, server.connections()]])
  try {
    const localUrl = addressOf(server)
    const url = settings.publicUrl ?? localUrl
    // With a database and a bucket there may be no data folder, and none is made for what need not be kept.
    const cacheFolder = existsSync(settings.data) ? storePaths(settings.data).cache : undefined
    const shared = { settings, log, metrics, tracing, clock: store.clock.now, ticks: () => performance.now(), isLive }
    const timed = timedStore(store, enginesOf(settings), shared)
    const source = { ...shared, store: timed, publicUrl: url, cacheFolder, threadParts: thread?.parts }
    const { service, handleChanges, live, monitor, ...opened } = await openService(source)
    const changes = watchChanges(store.database, handleChanges, monitor, Date.now)
    const fresh = withFreshContent(changes, basePath(url), service)
    server.answerWith(isLive ? withHostCheck(settings.host, fresh) : fresh, url, opened.outages)
    const catchUp = () => changes.checkNow()
    const stop = async () => {
      opened.drain()
      live?.close()
      await server.stop()
      await changes.stop()
      await opened.close()
    }
    const showFolder = (folder: FolderState) => void catchUp().then(() => live?.update(folder))
    return { url, localUrl, monitor, catchUp, readiness: opened.readiness, showFolder, stop }
  } catch (error) {
    await server.stop()
    throw error
  }
}

/** After a pause, requests wait until the store has been checked, except those about the state of the process. */
function withFreshContent({ afterPause }: ChangeWatcher, base: string, service: Service): Service {
  return request => {
    const checked = afterPause()
    return checked && !isAboutState(request.path, base) ? checked.then(() => service(request)) : service(request)
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
