import { openEventStreams } from '#delivery/events/streams/streams.ts'
import type { TextEditor } from '#people/editor/edit/text-editor.ts'
import { openProxiedPeople } from '#people/signin/people/proxied-people.ts'
import { andThen } from '#platform/base/promise.ts'
import { openCaches } from '#platform/caches/caches.ts'
import type { Settings } from '#platform/settings/settings.ts'
import { openAudit } from '#platform/telemetry/access-event.ts'
import { openClockWatch } from '#platform/telemetry/clock-watch.ts'
import type { Log } from '#platform/telemetry/log.ts'
import type { Metrics } from '#platform/telemetry/metrics.ts'
import type { Tracing } from '#platform/telemetry/trace-context.ts'
import type { AccessContext } from '#serving/access/context.ts'
import { openHosts } from '#serving/access/hosts.ts'
import { checkWithoutSecret } from '#serving/access/keys/keys.ts'
import { openUses } from '#serving/access/last-use.ts'
import type { ServiceContext } from '#serving/access/service-context.ts'
import { openSessionUses } from '#serving/access/session/session-uses.ts'
import { openSessions, type Sessions } from '#serving/access/session/session-verifier.ts'
import { openSignins } from '#serving/access/session/signins.ts'
import { createAddresses } from '#serving/addresses.ts'
import { verifiedFiles } from '#serving/downloads/verified-files.ts'
import { type DamageReport, monitorDamage } from '#serving/health/damage-monitor.ts'
import { monitorFiles } from '#serving/health/files-monitor.ts'
import { monitorStore } from '#serving/health/store-monitor.ts'
import { absoluteRoots } from '#serving/hosts.ts'
import { openProjects } from '#serving/pointers/open-projects.ts'
import { openPointers } from '#serving/pointers/pointers.ts'
import { openPublications } from '#serving/publications/publications.ts'
import { servedRevisions } from '#serving/publications/revisions.ts'
import { openResponseCache } from '#serving/replies/response-cache.ts'
import { openUsage } from '#serving/usage.ts'
import type { Site } from '#site/site.ts'
import { listCurrentKeys } from '#store/access/signing-keys.ts'
import { findProfile } from '#store/catalogue/catalogue.ts'
import { findObject } from '#store/catalogue/objects.ts'
import type { Database } from '#store/database/database.ts'
import type { Store } from '#store/store.ts'
import { DamagedContent, damageIn } from '#store/store-error.ts'
import { accessFor, type IssuerWatch, openVerifiers } from './access.ts'
import type { GitService } from './git.ts'
import { openLimits } from './limit.ts'

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
  isLive?: boolean | undefined
  /** The version of the program, which agents see. */
  version?: string | undefined
  /** Finds the book of a publication. */
  book?: Site['book']
  /** The brand folder of `dev`. */
  folder?: string | undefined
  /** The followed repositories; absent if there are none. */
  git?: GitService | undefined
  texts: TextEditor
}

/** The objects of a service that its modules are made from. */
export type Shared = Awaited<ReturnType<typeof openShared>>

/** Makes each shared object once, after the objects that it needs. */
export async function openShared(source: ServiceSource) {
  const { settings, store, log, metrics, clock, ticks } = source
  const { database } = store
  const uses = openUses()
  const access = await openAccess(source, uses.mark)
  const damage = await watchDamage(database, log)
  const issuers = { clockWatch: openClockWatch(clock, log), countFailure: metrics.countIssuerFailure }
  const verifiers = await openVerifiers(access, settings.trust, { log, issuers })
  const people = await openPeople(source, { access, issuers })
  const files = await watchFiles(source, access, damage)
  const limits = await openLimits(settings, source)
  const isChecked = settings.publicUrl !== undefined
  const hosts = await openHosts(database, access.publicUrl, { hosts: settings.hosts, isChecked })
  const health = { damage, files, monitor: monitorStore(store, log, ticks) }
  const service = await openServiceContext(source, { access, verifiers, people, health, limits, hosts })
  const streams = openEventStreams({ service, log })
  return { source, access, service, hosts, people, issuers, uses, health, limits, streams }
}

type ServiceParts = Pick<Shared, 'access' | 'people' | 'health' | 'limits' | 'hosts'> & {
  verifiers: Awaited<ReturnType<typeof openVerifiers>>
}

async function openServiceContext(
  { settings, clock, ticks }: ServiceSource,
  { access, verifiers, people, health, limits, hosts }: ServiceParts,
): Promise<ServiceContext> {
  const { database, identity, caches, publicUrl } = access
  return {
    settings,
    access,
    ticks,
    limit: limits.limit,
    publicLimit: limits.publicLimit,
    ...verifiers,
    signins: people.signins,
    sessions: people.sessions,
    refusedPerson: people.refusedPerson,
    profileOf: profilesOf(database, health.monitor.reportOutage),
    pointers: await openPointers(database, caches),
    openProjects: openProjects(database),
    openPublication: openPublications(database, caches, clock),
    revisions: servedRevisions(database),
    files: health.files.verified,
    hosts,
    urls: createAddresses(absoluteRoots(publicUrl, hosts), identity.fileSecret),
    replies: openResponseCache(caches, 'replies'),
    usage: settings.usage ? openUsage(clock) : undefined,
  }
}

/** Makes the context that verifies access. */
async function openAccess(
  { settings, store, log, metrics, publicUrl, clock }: ServiceSource,
  markUse: ReturnType<typeof openUses>['mark'],
): Promise<AccessContext> {
  const requests = { publicUrl, clock, caches: openCaches(settings.cache), markUse }
  const access = accessFor(settings, store, openAudit(log, metrics), requests)
  await access.signer(new Date(clock()))
  return access
}

/** Records damaged rows as they are read, and now the damaged signing keys, which fail only what needs them. */
async function watchDamage(database: Database, log: Log) {
  const damage = monitorDamage(log)
  database.listeners.add(row => reportDamaged(damage, row, database))
  for (const key of await listCurrentKeys(database))
    await checkWithoutSecret(key).catch((error: unknown) => {
      if (!(error instanceof DamagedContent)) throw error
      reportDamaged(damage, error, database)
    })
  return damage
}

/** Verifies the files of the store, and monitors them if they are on another machine. */
async function watchFiles({ store, ticks, log }: ServiceSource, { caches }: AccessContext, damage: DamageReport) {
  const monitor = monitorFiles(store.files, { urn: store.identity.urn, log, ticks })
  await monitor?.check()
  return { monitor, verified: verifiedFiles(monitor?.files ?? store.files, caches, damage) }
}

/** Records a damaged row, key or object until it is repaired or removed. */
export function reportDamaged(damage: DamageReport, damaged: DamagedContent, database: Database): void {
  const { place } = damaged
  if (place.kind === 'row')
    damage.found(damaged, async () => {
      const { findRowProblem } = await import('#store/row-problems.ts') // Only a damaged store needs all definitions.
      return (await findRowProblem(database, place)) === undefined
    })
  if (place.kind === 'object')
    damage.found(damaged, async () => {
      await findObject(database, place.workspace, place.hash)
      return true
    })
  if (place.kind === 'key')
    damage.found(damaged, async () => {
      for (const record of await listCurrentKeys(database))
        if (record.kid === place.kid) await checkWithoutSecret(record)
      return true
    })
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
  { access, issuers }: { access: AccessContext; issuers: IssuerWatch },
) {
  const { database, clock } = access
  const signins = await openSignins(database)
  const sessionUses = openSessionUses({ database, clock, log, idleSeconds: settings.sessionIdle })
  const sessions = openSessions(access, sessionUses)
  const proxied = openProxiedPeople({ settings, access, signins, log, issuers })
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
