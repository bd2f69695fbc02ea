import { availableParallelism } from 'node:os'
import { trustEntries } from './access/trust/trust-entries.ts'
import { audienceFor } from './compose/access.ts'
import { attendStore } from './compose/attend-store.ts'
import type { Running, ServiceOptions } from './compose/running.ts'
import { serveHere } from './compose/serve-here.ts'
import { API_PATH } from './contract/operations.ts'
import { undoAbandonedCopies } from './publishing/abandoned-copies.ts'
import type { Settings } from './settings.ts'
import type { Store } from './store/store.ts'
import type { Log, ServiceLog } from './telemetry/log.ts'
import { openMetrics } from './telemetry/metrics.ts'
import { openTracing } from './telemetry/open-tracing.ts'

/** What a service writes to its log with. */
type OwnLog = Log & Partial<Pick<ServiceLog, 'dropped' | 'write'>>

/**
 * Starts the service on a store, and serves what other processes publish until it is stopped. With `threads`, others than
 * this thread serve it, each from the store that the settings name.
 *
 * @throws {TrustError} before it listens, if the settings of a trusted issuer are wrong.
 */
export async function startService(
  settings: Settings,
  store: Store,
  log: OwnLog,
  options: ServiceOptions = {},
): Promise<Running> {
  trustEntries(settings.trust, audienceFor(settings, store))
  await undoAbandonedCopies(store)
  const threads = settings.threads === 'auto' ? threadsFor(settings) : settings.threads
  if (threads === 1 || options.isLive) return serveAlone(settings, store, log, options)
  const { serveWithThreads } = await import('./compose/threads/serve-with-threads.ts')
  return serveWithThreads({ ...settings, threads }, store, log, options)
}

function threadsFor({ maxConnections }: Settings): number {
  return Math.min(availableParallelism(), maxConnections)
}

async function serveAlone(
  settings: Settings,
  store: Store,
  log: OwnLog,
  { isLive = false, build, environment = {} }: ServiceOptions,
): Promise<Running> {
  const metrics = openMetrics(log.dropped)
  if (build) metrics.watch('housestyle_build_info', () => [[build, 1]])
  const tracing = await openTracing(environment, build?.version ?? '', log)
  const serving = await serveHere({ settings, store, log, metrics, tracing, isLive })
  const { url, localUrl, monitor, catchUp, showFolder } = serving
  const leave = await attendStore(store, { url, monitor, log })
  const stop = async () => {
    await serving.stop()
    await leave()
    await tracing?.end()
  }
  return { url, baseUrl: url + API_PATH, localUrl, catchUp, showFolder, stop }
}
