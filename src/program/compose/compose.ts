import { API_PATH } from '#brand/contract/operations.ts'
import { openTextEditor } from '#people/editor/edit/text-editor.ts'
import { serial } from '#platform/base/promise.ts'
import { isWithin } from '#platform/exchange/ip-address.ts'
import { basePath } from '#platform/exchange/target.ts'
import type { Settings } from '#platform/settings/settings.ts'
import { openAudit } from '#platform/telemetry/access-event.ts'
import type { Log, ServiceLog } from '#platform/telemetry/log.ts'
import { openMetrics } from '#platform/telemetry/metrics.ts'
import { openTracing } from '#platform/telemetry/open-tracing.ts'
import type { OutageReporter } from '#platform/telemetry/outage-log.ts'
import { undoAbandonedCopies } from '#publishing/abandoned-copies.ts'
import { openBooks, type PrintBook } from '#publishing/books.ts'
import { noticeRecorder } from '#publishing/notices.ts'
import { publishPlanned } from '#publishing/plan.ts'
import { audienceOf } from '#serving/access/token/own-issuer.ts'
import { trustEntries } from '#serving/access/trust/trust-entries.ts'
import { leaseAddress } from '#serving/health/address-lease.ts'
import type { StoreMonitor } from '#serving/health/store-monitor.ts'
import { type ChangeWatcher, watchChanges } from '#serving/pointers/change-watcher.ts'
import type { FolderState } from '#site/live.ts'
import { clockDifference, type StoreClock } from '#store/clock.ts'
import type { Store } from '#store/store.ts'
import { removeAbandonedFolders } from '#store/temporary-folder.ts'
import { type Listening, listen } from '../http/server.ts'
import { isMonitoring } from '../http/service/routes.ts'
import { type Service, withHostCheck } from '../http/service/service.ts'
import { clientAddresses } from '../http/trusted-proxies.ts'
import { addressOf } from './address.ts'
import { followGit, hookDigests } from './git.ts'
import { startMail } from './mail.ts'
import { type OpenService, openService } from './open-service.ts'
import type { ServiceSource } from './shared.ts'
import { timedStore } from './timed-store.ts'
import { startWebhooks } from './webhooks.ts'
import { failureReporter } from './website.ts'

export type RunningService = {
  url: string
  baseUrl: string
  /** The local address, for programs on the same machine; the other two begin with the public URL, if configured. */
  localUrl: string
  /** Serves all changes in the store so far, so that new tokens and links work. */
  catchUp: () => Promise<void>
  /** Resolves once each followed repository was checked, or could not be; undefined if there is none. */
  pulled?: Promise<void> | undefined
  /** Shows the folder state on open pages, after everything published so far is served. */
  showFolder: (folder: FolderState) => void
  stop: () => Promise<void>
}

type ServiceOptions = {
  /** Whether open pages update after each change. */
  isLive?: boolean
  /** The brand folder of `dev`. */
  folder?: string
  /** The program and Node versions: `0.1.0` on `26.10.0`. */
  build?: { version: string; node: string }
  environment?: Readonly<Partial<Record<string, string>>>
  /** Sends a signal to a process group; needed for following repositories. */
  kill?: (id: number, signal: NodeJS.Signals) => void
  /** Prints the books of guides; absent without Chromium. */
  printBook?: PrintBook | undefined
  /** The projects that the followed repositories may take from other sources. */
  take?: readonly string[] | undefined
}

/**
 * Starts the service on a store, and serves publications of other processes until it is stopped. It listens first, and
 * answers 503 until its parts are ready.
 *
 * @throws {TrustError} before it listens, if the settings of a trusted issuer are wrong.
 */
export async function startService(
  settings: Settings,
  store: Store,
  log: Log & Partial<Pick<ServiceLog, 'dropped'>>,
  { isLive = false, folder, build, environment = {}, kill, printBook, take }: ServiceOptions = {},
): Promise<RunningService> {
  trustEntries(settings.trust, audienceOf(settings.publicUrl, store.identity.urn))
  await Promise.all([undoAbandonedCopies(store), removeAbandonedFolders()])
  const metrics = openMetrics(log.dropped)
  if (build) metrics.watch('housestyle_build_info', () => [[build, 1]])
  const tracing = await openTracing(environment, build?.version ?? '', log)
  const texts = openTextEditor({ failed: failureReporter({ metrics, log }) })
  const git = kill && (await followGit({ settings, store, log, environment, kill, take, texts }))
  const version = build?.version
  const parts = { settings, store, log, metrics, tracing, isLive, folder, version, git: git?.service, printBook, texts }
  const serving = await serve(parts).catch(async error => {
    await git?.stop()
    throw error
  })
  const { url, localUrl, monitor, catchUp, showFolder } = serving
  const endMaintenance = await maintainStore(store, { url, monitor, log })
  const stop = async () => {
    // The editor and the importer use `texts` until they are stopped.
    await Promise.all([serving.stop(), git?.stop()])
    await texts.close()
    await endMaintenance()
    await tracing?.end()
  }
  return { url, baseUrl: url + API_PATH, localUrl, catchUp, showFolder, pulled: git?.first, stop }
}

/**
 * Does the regular work on a store: leases the service address, undoes abandoned copies, publishes at planned times,
 * records notices, and follows the clock. Returns the function that ends it.
 */
async function maintainStore(
  store: Store,
  { url, monitor, log }: { url: string; monitor: StoreMonitor; log: Log },
): Promise<() => Promise<void>> {
  const often = (problem: string, work: () => Promise<void>) => everySecond(work, monitor.reporterFor(problem))
  const stops = [
    often('a copy that was left behind cannot be undone', () => undoAbandonedCopies(store)),
    often('the planned publications cannot be looked up or made', () => publishPlanned(store, openAudit(log))),
    often('the notices about the rights to files cannot be looked up or recorded', noticeRecorder(store)),
  ]
  const stopClock = followClock(store.clock, log)
  const reporter = monitor.reporterFor('the address of the service cannot be kept in the store')
  const endLease = await leaseAddress(store.database, { url, clock: store.clock.now, reporter })
  return async () => {
    stopClock()
    for (const stop of stops) await stop()
    await endLease()
  }
}

/** Does work once a second. Returns the function that stops it. */
function everySecond(work: () => Promise<void>, reporter: OutageReporter): () => Promise<void> {
  const inTurn = serial()
  const attempt = () => work().then(reporter.worked, reporter.failed)
  const timer = setInterval(() => void inTurn(attempt), 1000).unref()
  return async () => {
    clearInterval(timer)
    await inTurn(() => undefined)
  }
}

/** Measures the clock of the database every minute, because tokens expire by it. Warns if this machine's differs. */
function followClock(clock: StoreClock, log: Log): () => void {
  let wasDifferent = false
  const check = () => {
    const difference = clockDifference(clock.offsetMs())
    if (difference !== undefined && !wasDifferent)
      log.warn(
        { offsetMs: clock.offsetMs() },
        `the clock of this machine is ${difference}, which the service uses: set it, for example with NTP`,
      )
    wasDifferent = difference !== undefined
  }
  check()
  // Other code reports a database that does not answer.
  const timer = setInterval(() => void clock.refresh().then(check, () => undefined), CLOCK_MS).unref()
  return () => clearInterval(timer)
}

const CLOCK_MS = 60_000

type ServeOptions = Omit<ServiceSource, 'publicUrl' | 'clock' | 'ticks' | 'book'> & Pick<ServiceOptions, 'printBook'>

/** Listens, and answers with the service on the store until `stop` is called. */
async function serve(options: ServeOptions) {
  const { settings, log, metrics, tracing, git } = options
  const { countRequest: observe, countShed: shed } = metrics
  const digestFor = hookDigests(settings, git)
  const server = await listen({ log, observe, shed, tracing, digestFor, ...listeningOf(settings) })
  metrics.watch('housestyle_connections', () => [[{}, server.connections()]])
  try {
    return await answerOn(server, options)
  } catch (error) {
    await server.stop()
    throw error
  }
}

/**
 * Opens the service, and lets a server answer with it. Until `stop` is called, the service follows changes of the store,
 * and sends webhooks and mails.
 */
async function answerOn(server: Listening, options: ServeOptions) {
  const localUrl = addressOf(server)
  const url = options.settings.publicUrl ?? localUrl
  const { source, books } = sourceAt(url, options)
  const opened = await openService(source)
  const { live, monitor } = opened
  const outboxes = [startWebhooks(source, monitor), ...startMail(source, monitor)]
  const handleChanges = (isReplaced: boolean) => {
    for (const outbox of outboxes) outbox.wake()
    return opened.handleChanges(isReplaced)
  }
  const stopBooks = books && everySecond(books.check, monitor.reporterFor('the books of guides cannot be looked up'))
  const changes = watchChanges(options.store.database, handleChanges, monitor, Date.now)
  server.answerWith(serviceForServer(opened, changes, source), url, opened.outages, opened.inside)
  opened.warm()
  const catchUp = () => changes.checkNow()
  const stop = async () => {
    opened.drain()
    // The server waits for the replies in progress, so those without an end must end first.
    live?.close()
    opened.endStreams()
    books?.stop()
    await Promise.all([server.stop(), stopBooks?.(), ...outboxes.map(outbox => outbox.stop())])
    await changes.stop()
    await opened.close()
  }
  const showFolder = (folder: FolderState) => void catchUp().then(() => live?.update(folder))
  return { url, localUrl, monitor, catchUp, showFolder, stop }
}

/** The source of a service at a public URL, with a store whose calls are measured, and the books that it makes. */
function sourceAt(publicUrl: string, options: ServeOptions) {
  const { settings, store, metrics, tracing } = options
  const clock = store.clock.now
  const ticks = () => performance.now()
  const timed = timedStore(store, enginesOf(settings), { metrics, ticks, tracing })
  const books = settings.book ? openBooks(timed, { ...options, publicUrl }) : undefined
  const source: ServiceSource = { ...options, store: timed, publicUrl, clock, ticks, book: books?.find }
  return { source, books }
}

/** The service as the server calls it: content is fresh after a pause, guides are prepared, and `dev` checks the host. */
function serviceForServer(
  opened: OpenService,
  changes: ChangeWatcher,
  { settings, log, metrics, isLive, publicUrl }: ServiceSource,
): Service {
  const base = basePath(publicUrl)
  const service = withFreshContent(changes, base, preparingAfterReply(opened, base))
  return isLive ? withHostCheck(settings.host, service, openAudit(log, metrics)) : service
}

/** Prepares guides a second after the first reply: its reader waits for no other guide, and an idle service keeps none in memory. */
function preparingAfterReply({ service, prepare }: OpenService, base: string): Service {
  let timer: NodeJS.Timeout | undefined
  const schedule = () => {
    timer ??= setTimeout(prepare, PREPARE_AFTER_MS).unref()
  }
  return request => {
    const reply = service(request)
    if (!timer && !isMonitoring(request.path, base)) void Promise.resolve(reply).then(schedule, schedule)
    return reply
  }
}

const PREPARE_AFTER_MS = 1000

/** Makes requests wait for a store check after a pause, except monitoring requests. */
function withFreshContent({ afterPause }: ChangeWatcher, base: string, service: Service): Service {
  return request => {
    // Undefined unless this process was suspended or blocked before the request.
    const check = afterPause()
    return check && !isMonitoring(request.path, base) ? check.then(() => service(request)) : service(request)
  }
}

function listeningOf(settings: Settings) {
  const { host, port, maxConnections, maxConnectionsPerAddress: perAddress, trustedProxies, cors } = settings
  const share = perAddress === undefined ? {} : { perAddress, isExempt: isWithin(trustedProxies) }
  const limits = { connections: maxConnections, ...share }
  return { host, port, clientOf: clientAddresses(trustedProxies), limits, origins: new Set(cors) }
}

function enginesOf({ database, files }: Settings) {
  return {
    database: database === undefined ? 'sqlite' : 'postgres',
    files: files === undefined ? 'disk' : 's3',
  } as const
}
