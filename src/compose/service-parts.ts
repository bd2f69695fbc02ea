import type { VerifierContext } from '../access/context.ts'
import { checkWithoutSecret } from '../access/keys/checked-key.ts'
import { currentKeys, publicKeySet } from '../access/keys/signing.ts'
import { openUses, type Uses } from '../access/last-use/uses.ts'
import type { Signins } from '../access/session/open-signins.ts'
import type { Sessions } from '../access/session/session-verifier.ts'
import { mcpLoader } from '../agents/answer.ts'
import { type Caches, openCaches } from '../caches/caches.ts'
import { API_PATH } from '../contract/operations.ts'
import { type EventStreams, openEventStreams } from '../events/streams/streams.ts'
import { ownReplies } from '../http/service/own-replies.ts'
import type { ServiceContext } from '../http/service/routes.ts'
import { type VerifiedFiles, verifiedFiles } from '../serving/downloads/verified-files.ts'
import { type DamageMonitor, monitorDamage } from '../serving/health/damage-monitor.ts'
import { type FilesMonitor, monitorFiles } from '../serving/health/files-monitor.ts'
import { openReadiness, type Readiness } from '../serving/health/readiness.ts'
import { monitorStore, type StoreMonitor } from '../serving/health/store-monitor.ts'
import { openProjects } from '../serving/pointers/open-projects.ts'
import { openPointers, type Pointers } from '../serving/pointers/pointers.ts'
import { type OpenPublication, openPublications } from '../serving/publications/publications.ts'
import { type ServedRevisions, servedRevisions } from '../serving/publications/revisions.ts'
import { type Compression, openCompression } from '../serving/replies/compression.ts'
import { openResponseCache } from '../serving/replies/response-cache.ts'
import type { Settings } from '../settings.ts'
import type { Store } from '../store/store.ts'
import { type Audit, openAudit } from '../telemetry/access-event.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Tracing } from '../telemetry/tracing.ts'
import { accessFor, openVerifiers, type Verifiers } from './access.ts'
import { type GitService, gitFailureOf, hookOf } from './git.ts'
import { lastKnown } from './last-known.ts'
import { type OpenLimits, openLimits } from './limit.ts'
import { openPeople, signinContext } from './signin.ts'
import { watchParts } from './watched-parts.ts'
import { openWebsite, type Website } from './website.ts'

/** The inputs of a service. */
export type ServiceSource = {
  settings: Pick<
    Settings,
    | 'publicUrl'
    | 'database'
    | 'rate'
    | 'ratePublic'
    | 'limits'
    | 'cors'
    | 'keySecret'
    | 'sessionHours'
    | 'logEmail'
    | 'trust'
    | 'trustedProxies'
    | 'outgoingAllow'
    | 'cacheTags'
    | 'readyGrace'
    | 'cache'
  >
  store: Store
  log: Log
  metrics: Metrics
  tracing?: Tracing | undefined
  /** The public URL of the service, without a trailing slash. */
  publicUrl: string
  /** The time of day, in milliseconds. */
  clock: () => number
  /** A monotonic clock in milliseconds. */
  ticks: () => number
  /** Whether open pages update after changes. */
  isLive?: boolean
  /** The version of the program, which agents see. */
  version?: string | undefined
  /** The followed repositories; absent if there are none. */
  git?: GitService | undefined
}

/** The shared parts of a service; each is created only once. */
export type Parts = Verifiers & {
  uses: Uses
  caches: Caches
  compression: Compression
  record: Audit
  access: VerifierContext
  pointers: Pointers
  signins: Signins
  sessions: Sessions
  streams: EventStreams
  openPublication: OpenPublication
  revisions: ServedRevisions
  website: Website
  limits: OpenLimits
  monitor: StoreMonitor
  watchedFiles: WatchedFiles
  readiness: Readiness
}

/** The served files and their state. */
type WatchedFiles = {
  files: VerifiedFiles
  /** Undefined if the files are on this machine. */
  filesMonitor: FilesMonitor | undefined
  damage: DamageMonitor
}

/** Makes each part after its dependencies. */
export async function openParts(source: ServiceSource): Promise<Parts> {
  const { settings, store, log, metrics, clock, ticks, tracing } = source
  const { database } = store
  const record = openAudit(log, metrics)
  const { publicUrl } = source
  const caches = openCaches(settings.cache)
  const uses = openUses()
  const access = { ...accessFor(settings, store, record), publicUrl, clock, caches, markUse: uses.mark }
  await access.signer(new Date(clock()))
  for (const record of await currentKeys(database)) await checkWithoutSecret(record)
  const compression = openCompression()
  const { verifier, shares } = await openVerifiers(access, settings.trust, log)
  const pointers = await openPointers(database, caches)
  const people = await openPeople(source, access)
  const streams = openEventStreams({ database, pointers, verifier, clock, publicUrl, log })
  const openPublication = openPublications(database, caches, clock)
  const revisions = servedRevisions(database)
  const watchedFiles = await watchFiles(source, caches)
  const { files, filesMonitor, damage } = watchedFiles
  const limits = await openLimits(settings, { log, metrics, ticks, tracing })
  const shared = { caches, compression, pointers, openPublication, revisions, verifier, shares, ...people, record }
  const opened = { ...shared, openProjects: openProjects(database), limit: limits.limit }
  const website = openWebsite({ ...source, files, hasCacheTags: settings.cacheTags }, opened)
  const monitor = monitorStore(store, log, ticks)
  const watched = { caches, website, pointers, streams, monitor, filesMonitor, damage, database }
  watchParts(metrics, { ...watched, git: source.git, clock })
  const graceMs = settings.database === undefined ? settings.readyGrace * 1000 : Number.POSITIVE_INFINITY
  const { isShared: isLimitShared } = limits
  const hasGitFailed = gitFailureOf(source.git)
  const readiness = openReadiness({
    monitor,
    graceMs,
    areFilesDown: filesMonitor?.isDown,
    damage,
    isLimitShared,
    hasGitFailed,
  })
  return { ...shared, uses, access, streams, website, limits, monitor, watchedFiles, readiness }
}

/** Verifies the files of the store, and monitors them if they are on another machine. */
async function watchFiles({ store, ticks, log }: ServiceSource, caches: Caches): Promise<WatchedFiles> {
  const filesMonitor = monitorFiles(store.files, { urn: store.identity.urn, log, ticks })
  await filesMonitor?.check()
  const damage = monitorDamage(log)
  return { filesMonitor, damage, files: verifiedFiles(filesMonitor?.files ?? store.files, caches, damage) }
}

/** Makes the context of each module that answers requests. */
export function serviceContext(source: ServiceSource, parts: Parts): ServiceContext {
  const { settings, store, metrics, publicUrl, version = '0.0.0' } = source
  const { caches, compression, website, monitor, uses, readiness } = parts
  const { site, indexes } = website
  const { limit } = parts.limits
  const { reportOutage } = monitor
  const { assets, paths, refusedPerson, contactOf } = site
  const shared = { ...parts, ...source, limit, addresses: site.urls, reportOutage }
  const signin = signinContext(source, parts.access, { ...shared, assets, paths, refusedPerson, contactOf })
  return {
    api: { ...shared, responseCache: openResponseCache(caches, 'replies', compression) },
    events: shared,
    site,
    agents: {
      ...shared,
      index: indexes,
      pages: caches.open('agent-pages'),
      origins: new Set(settings.cors),
      loadMcp: mcpLoader(version),
    },
    signin,
    tokens: { ...shared, throttle: signin.throttle, markUse: uses.mark, baseUrl: publicUrl + API_PATH },
    own: ownReplies({
      publicUrl,
      assets,
      readiness: readiness.check,
      keySet: lastKnown(() => publicKeySet(store.database), reportOutage),
      metrics: metrics.text,
    }),
    hook: hookOf(source.git, publicUrl, parts.record),
  }
}
