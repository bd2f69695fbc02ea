import { pathInside } from '#brand/contract/place.ts'
import { mcpLoader } from '#delivery/agents/answer.ts'
import { signOutFrom } from '#people/signin/people/signout.ts'
import { serial, settleAll } from '#platform/base/promise.ts'
import { CODE_REPLACED, isCodeReplaced } from '#platform/processes/program-code.ts'
import { onceAMinute } from '#platform/telemetry/log.ts'
import { answerHook } from '#publishing/git/follow/hook.ts'
import { importFailure } from '#publishing/git/pull/source-state.ts'
import { publicKeySet } from '#serving/access/keys/keys.ts'
import { openUseWriter } from '#serving/access/last-use.ts'
import type { DamageMonitor } from '#serving/health/damage-monitor.ts'
import { openReadiness, type Readiness } from '#serving/health/readiness.ts'
import type { StoreMonitor } from '#serving/health/store-monitor.ts'
import { type ChangeEffects, changeHandler } from '#serving/pointers/change-watcher.ts'
import { servedKeys } from '#serving/publications/revisions.ts'
import { openUsageWriter } from '#serving/usage.ts'
import type { Live } from '#site/live.ts'
import { unavailable } from '#site/pages/standalone-page.ts'
import type { Site } from '#site/site.ts'
import { unlessDamaged } from '#store/database/damaged-row.ts'
import type { Database } from '#store/database/database.ts'
import { type DamagedContent, damageIn } from '#store/store-error.ts'
import type { Edge, Outages } from '../http/edge.ts'
import { ownReplies } from '../http/service/own-replies.ts'
import type { HttpContext } from '../http/service/routes.ts'
import { makeService, type Service } from '../http/service/service.ts'
import { behindProxies } from '../http/trusted-proxies.ts'
import { editedWorkspaces, openEdit } from './edit.ts'
import { checkApproved } from './git.ts'
import { loadCode } from './load-code.ts'
import { measuredFacts } from './measured-facts.ts'
import { serverIcons } from './server-icons.ts'
import { openShared, reportDamaged, type ServiceSource, type Shared } from './shared.ts'
import { signinContext } from './signin.ts'
import { watchParts } from './watched-parts.ts'
import { guidePreparation, openWebsite, type Website } from './website.ts'

export type OpenService = {
  service: Service
  /** Serves all changes in the store since the last call. */
  handleChanges: (isReplaced?: boolean) => Promise<void>
  live: Live | undefined
  /** Starts the processes for which the first page would wait. */
  warm: () => void
  /** Makes the fonts, libraries, indexes and pictures of the latest guides for their first readers, now and after each publication. */
  prepare: () => void
  /** Ends all event streams, and opens no more. */
  endStreams: () => void
  monitor: StoreMonitor
  outages: Outages
  /** The path below the service of a request, which may be at the host of a guide. */
  inside: Edge['inside']
  /** Reports from now on that it is not ready, and continues to answer. */
  drain: () => void
  close: () => Promise<void>
}

export async function openService(source: ServiceSource): Promise<OpenService> {
  const shared = await openShared(source)
  const { settings, log, metrics, isLive, book } = source
  const website = openWebsite(shared.service, { log, metrics, isLive, edits: editedWorkspaces(source), book })
  const { site, siteAt } = website
  watchParts(shared, website)
  const readiness = readinessOf(shared)
  const stopWriters = startWriters(shared)
  const preparation = guidePreparation(site, log)
  const handleChanges = changesInTurn(shared, preparation.handlePublished)
  const context = contextOf(shared, website, readiness, handleChanges)
  const endLoading = loadCode(context, log)
  return {
    service: behindProxies(settings.trustedProxies, placedService(context, siteAt)),
    handleChanges,
    live: site.live,
    warm: website.warm,
    prepare: preparation.begin,
    endStreams: shared.streams.close,
    monitor: shared.health.monitor,
    outages: outagesOf(shared, website),
    inside: insideOf(shared),
    drain: readiness.drain,
    close: async () => {
      endLoading()
      await stopWriters()
      stopMonitors(shared)
      await Promise.all([website.close(), context.edit?.media.close()])
    },
  }
}

/** Records the uses of tokens, links, sessions and guides in the store. Returns the function that writes the last ones. */
function startWriters({ source: { log }, access, service, people, uses }: Shared): () => Promise<unknown> {
  const { database, clock } = access
  const useWriter = openUseWriter(database, uses, log)
  const usageWriter = service.usage && openUsageWriter(database, service.usage, clock, log)
  return () => Promise.all([useWriter.stop(), usageWriter?.stop(), people.sessionUses.stop()])
}

/** Serves changes of the store, one call after the other. */
function changesInTurn(shared: Shared, handlePublished: () => void): OpenService['handleChanges'] {
  const { database } = shared.access
  const handle = changeHandler(database, shared.service.pointers, changeEffects(shared, handlePublished))
  const inTurn = serial()
  return isReplaced => inTurn(() => handle(isReplaced))
}

function stopMonitors({ health: { monitor, files, damage }, limits }: Shared): void {
  monitor.stop()
  files.monitor?.stop()
  files.verified.stop()
  damage.stop()
  limits.close()
}

function readinessOf({ source: { settings, git }, health, limits }: Shared): Readiness {
  return openReadiness({
    monitor: health.monitor,
    damage: health.damage,
    graceMs: settings.database === undefined ? settings.readyGrace * 1000 : Number.POSITIVE_INFINITY,
    areFilesDown: health.files.monitor?.isDown,
    isLimitShared: limits.isShared,
    hasGitFailed: git && (() => git.follower.states().some(({ state }) => state === 'failed')),
  })
}

function contextOf(shared: Shared, website: Website, readiness: Readiness, refresh: () => Promise<void>): HttpContext {
  const { source, access, service, streams, health } = shared
  const { publicUrl, metrics } = source
  const { site } = website
  const signin = signinContext(shared, site)
  const manage = manageContext(shared, signin, refresh)
  return {
    service,
    streams,
    site,
    agents: agentContext(shared, website),
    signin,
    manage,
    edit: openEdit(source, manage),
    own: ownReplies({
      publicUrl,
      assets: site.assets,
      readiness: readiness.check,
      keySet: lastKnown(() => publicKeySet(access.database), health.monitor.reportOutage),
      metrics: metrics.text,
    }),
    hook: hookReply(shared),
  }
}

function manageContext(
  { source, access }: Shared,
  signin: HttpContext['signin'],
  refresh: () => Promise<void>,
): HttpContext['manage'] {
  const { settings, store, git } = source
  return {
    access,
    site: signin.site,
    store,
    formSecret: signin.formSecret,
    signOut: (request, workspace) => signOutFrom(signin, request, workspace),
    refresh,
    hasMail: settings.smtp !== undefined,
    checkRepositories: checkApproved(settings, git),
    importFailure: ref => git && importFailure(git.follower.states(), ref),
  }
}

function agentContext({ source, access, service }: Shared, { site, lint }: Website): HttpContext['agents'] {
  const { version = '0.0.0' } = source
  return {
    service,
    index: site.indexes,
    lint,
    ...measuredFacts(site),
    icons: serverIcons(site),
    pages: access.caches.open('agent-pages'),
    loadMcp: mcpLoader(version),
  }
}

/** Answers webhooks; undefined if no repository is followed. */
function hookReply({ source: { git, publicUrl }, access: { record } }: Shared): HttpContext['hook'] {
  if (!git) return undefined
  const { hookSecret: secret, follower } = git
  return request => answerHook({ secret, follower, publicUrl, record }, request)
}

function insideOf({ hosts }: Shared): Edge['inside'] {
  return (path, host) => {
    const place = hosts.at(host)
    return place ? pathInside(place, path) : path
  }
}

/** The service, also at the hosts of guides and workspaces, where each module has the website of that host. */
function placedService(context: HttpContext, siteAt: Website['siteAt']): Service {
  return makeService(context, place => placed(context, siteAt(place)))
}

/** The context of a service, with another website in each module that has one. */
function placed(context: HttpContext, site: Site): HttpContext {
  const signin = { ...context.signin, site }
  const signOut: HttpContext['manage']['signOut'] = (...asked) => signOutFrom(signin, ...asked)
  const manage = { ...context.manage, site, signOut }
  return { ...context, site, signin, manage, edit: context.edit && { ...context.edit, manage } }
}

/** Reads a value on each call; while the store is unavailable, returns the last one. */
function lastKnown<Value>(read: () => Promise<Value>, isOutage: (error: unknown) => boolean): () => Promise<Value> {
  let last: { value: Value } | undefined
  return async () => {
    try {
      last = { value: await read() }
    } catch (error) {
      if (!last || !isOutage(error)) throw error
    }
    return last.value
  }
}

function outagesOf(
  { source: { log }, access: { database }, hosts, health }: Shared,
  { site, siteAt }: Website,
): Outages {
  const { monitor, files, damage } = health
  const reportReplaced = onceAMinute((err: unknown) => log.error({ err }, CODE_REPLACED))
  return {
    // Damaged files and replaced code are outages, too: the client may try again after the operator has repaired them.
    report: (error, requestId) => {
      const damaged = recordDamage(damage, error, database, monitor)
      if (damaged) return !damaged.isRow
      if (isCodeReplaced(error)) {
        reportReplaced(error)
        return true
      }
      const report = () => monitor.reportOutage(error, requestId)
      return files.monitor?.reportOutage(error, report) || report()
    },
    reply: request => {
      const place = hosts.at(request.headers.host)
      return unavailable(request, place ? siteAt(place) : site)
    },
  }
}

/** The effects of store changes in this process. `handlePublished` is called after each publication. */
function changeEffects(shared: Shared, handlePublished: () => void): ChangeEffects {
  const { source, access, service, hosts, people, streams } = shared
  const { log, metrics } = source
  const { caches } = access
  const { pointers, revisions, verifier, shares } = service
  const { signins, sessions } = people
  return {
    forgetAll: () => {
      log.warn({}, OLDER)
      verifier.suspend()
      caches.clear()
      shares.forget()
      streams.restart()
    },
    refreshAccess: async isReplaced => {
      shares.forget()
      sessions.forget()
      const changedHosts = hosts.refresh().then(isChanged => isChanged && caches.clear())
      await settleAll([verifier.refresh(isReplaced), signins.refresh(), changedHosts])
      await streams.recheck()
    },
    deliverEvents: streams.deliver,
    recordMoves: ({ published, unpublished }) => {
      if (published > 0) {
        metrics.countPublications('published', published)
        handlePublished()
      }
      if (unpublished > 0) metrics.countPublications('unpublished', unpublished)
    },
    dropReplaced: async id => {
      const state = pointers.inMemory(id)
      const keys =
        state &&
        (await unlessDamaged(access.database, () => servedKeys(state, revisions, pointers.drafts.inMemory(id))))
      if (keys) caches.keepContent(id, keys)
    },
  }
}

const OLDER =
  'the database is older than before, as after a restored backup or a failover to a late standby: everything is read again, and lost revocations and publications must be repeated'

/** The damaged content that an error is about. Reports damage in the database; the file reader reports its own. */
function recordDamage(
  damage: DamageMonitor,
  error: unknown,
  database: Database,
  { check }: Pick<StoreMonitor, 'check'>,
): DamagedContent | undefined {
  const damaged = damageIn(error)
  if (!damaged || damaged.isMissing) return undefined
  const { place } = damaged
  reportDamaged(damage, damaged, database)
  if (place.kind === 'database')
    void check().then(({ isMoved, unreadableMs }) => {
      // The store monitor reports a database that is not readable at all.
      if (!isMoved && unreadableMs === undefined)
        damage.found(damaged, async () => (await database.faults()).length === 0)
    })
  return damaged
}
