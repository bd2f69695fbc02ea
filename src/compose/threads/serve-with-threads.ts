import { openLoginThrottle } from '../../access/client/login-throttle.ts'
import { openCaches } from '../../caches/caches.ts'
import { API_PATH } from '../../contract/operations.ts'
import { descriptorLimit } from '../../http/connections/connection-cap.ts'
import { openSharedListener, type SharedListener } from '../../http/listening/shared-listener.ts'
import { type HostedPools, hostPools } from '../../processes/pool-host.ts'
import { monitorFiles } from '../../serving/health/files-monitor.ts'
import { monitorStore, type StoreMonitor } from '../../serving/health/store-monitor.ts'
import type { Settings } from '../../settings.ts'
import type { Store } from '../../store/store.ts'
import { openAudit } from '../../telemetry/access-event.ts'
import { type Log, type ServiceLog, writerOf } from '../../telemetry/log.ts'
import { type Metrics, openMetrics } from '../../telemetry/metrics.ts'
import { tokenIssuerFor } from '../access.ts'
import { addressOf } from '../address.ts'
import { attendStore } from '../attend-store.ts'
import { sharing } from '../limit.ts'
import type { Running, ServiceOptions } from '../running.ts'
import { processSamples, waitingSamples } from '../watched-parts.ts'
import { failureReporter } from '../website.ts'
import { endedIn, sharedMemory } from './shared-memory.ts'
import type { ThreadData } from './thread-calls.ts'
import { openThreads } from './threads.ts'

/** Settings with a number of threads. */
type ThreadSettings = Settings & { threads: number }

/**
 * Serves a store with several threads, none of which is this one: it holds the socket, writes the log, has the processes for
 * untrusted content, counts failed logins, and starts a thread in the place of one that has ended.
 */
export async function serveWithThreads(
  settings: ThreadSettings,
  store: Store,
  log: Log & Partial<ServiceLog>,
  options: ServiceOptions,
): Promise<Running> {
  const metrics = openMetrics(log.dropped, () => threads.readings())
  await tokenIssuerFor(settings, store, openAudit(log, metrics)).signer(store.clock.date())
  const pools = hostPools(failureReporter({ metrics, log }))
  watchProcess(metrics, pools, options)
  const throttle = openLoginThrottle(ticks, openCaches(settings.cache / OWN_CACHE_PART))
  const limits = sharing(log)
  const monitor = monitorStore(store, log, ticks)
  const listener = await openSharedListener(settings.host, settings.port)
  const shared = sharedMemory(settings)
  const { build, environment } = options
  const threads = openThreads({
    count: settings.threads,
    dataFor: thread => ({ thread, build, environment, shared, ...partOf(settings, listener, thread) }),
    ended: endedIn(shared, settings.threads + 1),
    log,
    allAccepted: listener.close,
    workFor: calls => ({
      ...pools.hostFor(calls),
      countFailure: ({ client, address }) => throttle.countFailure(client, address),
      limitChanged: ({ thread, limit, change }) => limits.reportFor(`${limit} ${thread}`)(change),
      metrics: metrics.text,
      readiness: () => {
        void monitor.check() // Logs what the threads find as well.
        return threads.readiness()
      },
      writeLine: writerOf(log),
    }),
  })
  const stopThreads = async () => {
    await threads.stop()
    monitor.stop()
    await pools.close()
  }
  await threads.start().catch(error => stopThreads().then(() => Promise.reject(error)))
  const localUrl = addressOf(listener)
  const url = settings.publicUrl ?? localUrl
  const leaveStore = await watchStore(store, { url, monitor, log })
  const stop = async () => {
    await stopThreads()
    await leaveStore()
  }
  const showFolder = () => undefined // For `dev`, which has one thread.
  const { catchUp, largestHeap } = threads
  return { url, baseUrl: url + API_PATH, localUrl, catchUp, showFolder, largestHeap, stop }
}

const ticks = () => performance.now()

/** This thread needs a little of `--cache`, for failed logins. */
const OWN_CACHE_PART = 32

/** Attends to the store, and logs its outages, of which the threads say nothing. */
async function watchStore(
  store: Store,
  { url, monitor, log }: { url: string; monitor: StoreMonitor; log: Log },
): Promise<() => Promise<void>> {
  const filesMonitor = monitorFiles(store.files, { urn: store.identity.urn, log, ticks })
  const leave = await attendStore(store, { url, monitor, log })
  return async () => {
    filesMonitor?.stop()
    await leave()
  }
}

function watchProcess(metrics: Metrics, pools: HostedPools, { build }: ServiceOptions): void {
  if (build) metrics.watch('housestyle_build_info', () => [[build, 1]])
  metrics.watch('housestyle_worker_processes', () => processSamples(pools.usages()))
  metrics.watch('housestyle_worker_waiting', () => waitingSamples(pools.usages()))
}

/** Settings that bound all threads together are divided among them, so that no bound is exceeded. */
function partOf(
  settings: ThreadSettings,
  { descriptor }: SharedListener,
  thread: number,
): Pick<ThreadData, 'settings' | 'descriptor' | 'descriptors'> {
  const { threads, maxConnections, cache } = settings
  const parts = {
    maxConnections: Math.floor((maxConnections + thread - 1) / threads),
    cache: Math.floor((cache - cache / OWN_CACHE_PART) / threads),
  }
  // Commands add functions to their settings, which a thread cannot be given.
  const plain: Settings = JSON.parse(JSON.stringify(settings))
  return { settings: { ...plain, ...parts }, descriptor, descriptors: Math.floor(descriptorLimit() / threads) }
}
