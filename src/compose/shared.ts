import type { VerifierContext } from '../access/context.ts'
import { checkWithoutSecret, currentKeys } from '../access/keys/keys.ts'
import { openUses } from '../access/last-use.ts'
import { openSessionUses } from '../access/session/session-uses.ts'
import { openSessions, type Sessions } from '../access/session/session-verifier.ts'
import { openSignins } from '../access/session/signins.ts'
import { andThen } from '../base/promise.ts'
import { type Caches, openCaches } from '../caches/caches.ts'
import { openEventStreams } from '../events/streams/streams.ts'
import { verifiedFiles } from '../serving/downloads/verified-files.ts'
import { type DamageReport, monitorDamage } from '../serving/health/damage-monitor.ts'
import { monitorFiles } from '../serving/health/files-monitor.ts'
import { monitorStore } from '../serving/health/store-monitor.ts'
import { openProjects } from '../serving/pointers/open-projects.ts'
import { openPointers } from '../serving/pointers/pointers.ts'
import { openPublications } from '../serving/publications/publications.ts'
import { servedRevisions } from '../serving/publications/revisions.ts'
import { openUsage } from '../serving/usage.ts'
import type { Settings } from '../settings/settings.ts'
import { openProxiedPeople } from '../signin/people/proxied-people.ts'
import { findProfile } from '../store/catalogue/catalogue.ts'
import type { ReportRows } from '../store/database/damaged-row.ts'
import type { Database } from '../store/database/database.ts'
import { isRowSound } from '../store/database/row-checks.ts'
import type { Store } from '../store/store.ts'
import { damageIn } from '../store/store-error.ts'
import { openAudit } from '../telemetry/access-event.ts'
import { openClockWatch } from '../telemetry/clock-watch.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Tracing } from '../telemetry/trace-context.ts'
import { accessFor, type IssuerWatch, openVerifiers } from './access.ts'
import type { GitService } from './git.ts'
import { openLimits } from './limit.ts'
import { addressesBelow } from './website.ts'

export type ServiceSource = {
  settings: Settings
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

/** The objects that the modules of a service share, and its inputs. */
export type Shared = Awaited<ReturnType<typeof openShared>>

/** Makes each shared object once, after the objects that it needs. */
export async function openShared(source: ServiceSource) {
  const { settings, store, log, metrics, publicUrl, clock, ticks } = source
  const { database, identity } = store
  const caches = openCaches(settings.cache)
  const uses = openUses()
  const access = await openAccess(source, caches, uses.mark)
  const damage = monitorDamage(log)
  const reportRows = rowReporter(database, damage)
  const issuers = { clockWatch: openClockWatch(clock, log), countFailure: metrics.countIssuerFailure }
  const verifiers = await openVerifiers(access, settings.trust, { log, reportRows, issuers })
  const pointers = await openPointers(database, caches, reportRows)
  const people = await openPeople(source, { ...access, issuers }, reportRows)
  const { files, filesMonitor } = await watchFiles(source, access, damage)
  const limits = await openLimits(settings, source)
  const monitor = monitorStore(store, log, ticks)
  return {
    ...source,
    ...access,
    profileOf: profilesOf(database, monitor.reportOutage),
    ...people,
    ...addressesBelow(publicUrl, identity, source.isLive ? 'live' : 'served'),
    access,
    issuers,
    uses,
    usage: settings.usage ? openUsage(clock) : undefined,
    ...verifiers,
    pointers,
    files,
    filesMonitor,
    damage,
    reportRows,
    limits,
    limit: limits.limit,
    monitor,
    reportOutage: monitor.reportOutage,
    streams: openEventStreams({ ...verifiers, database, pointers, clock, publicUrl, log, reportRows }),
    openProjects: openProjects(database),
    openPublication: openPublications(database, caches, clock),
    revisions: servedRevisions(database, reportRows),
    hasCacheTags: settings.cacheTags,
  }
}

/** Makes the context that verifies access, and checks the signing keys. */
async function openAccess(
  { settings, store, log, metrics, publicUrl, clock }: ServiceSource,
  caches: Caches,
  markUse: ReturnType<typeof openUses>['mark'],
) {
  const access = { ...accessFor(settings, store, openAudit(log, metrics)), publicUrl, clock, caches, markUse }
  await access.signer(new Date(clock()))
  for (const key of await currentKeys(store.database)) await checkWithoutSecret(key)
  return access
}

/** Makes a function that records damaged rows until they are repaired or removed. */
function rowReporter(database: Database, damage: DamageReport): ReportRows {
  return damaged => {
    for (const each of damaged) {
      const { place } = each
      if (place.kind === 'row') damage.found(each, () => isRowSound(database, place))
    }
  }
}

/** Finds profiles. While the store is unavailable, pages before a guide show no profile. A damaged one is an error. */
function profilesOf(database: Database, reportOutage: (error: unknown) => boolean) {
  return (workspace: string) =>
    findProfile(database, workspace).catch((error: unknown) => {
      if (!damageIn(error) && reportOutage(error)) return undefined
      throw error
    })
}

/** Opens the settings of issuers, and the people who are signed in: with a session, or by a proxy. */
async function openPeople(
  { settings, log }: ServiceSource,
  access: VerifierContext & { issuers: IssuerWatch },
  reportRows: ReportRows,
) {
  const signins = await openSignins(access.database, reportRows)
  const sessionUses = openSessionUses({ ...access, log, idleSeconds: settings.sessionIdle })
  const sessions = openSessions(access, sessionUses)
  const proxied = openProxiedPeople({ ...access, signins, isEmailLogged: settings.logEmail, log })
  const person: Sessions['person'] = (request, workspace) =>
    andThen(
      sessions.person(request, workspace),
      signedIn => signedIn ?? (request.assertions && proxied.person(request, workspace)),
    )
  const forget = () => {
    sessions.forget()
    proxied.forget()
  }
  return { signins, sessionUses, sessions: { ...sessions, person, forget }, refusedPerson: proxied.refused }
}

/** Verifies the files of the store, and monitors them if they are on another machine. */
async function watchFiles({ store, ticks, log }: ServiceSource, { caches }: VerifierContext, damage: DamageReport) {
  const filesMonitor = monitorFiles(store.files, { urn: store.identity.urn, log, ticks })
  await filesMonitor?.check()
  return { filesMonitor, files: verifiedFiles(filesMonitor?.files ?? store.files, caches, damage) }
}
