import { checkWithoutSecret, currentKeys, publicKeySet } from '../access/keys/keys.ts'
import { openUseWriter } from '../access/last-use.ts'
import { mcpLoader } from '../agents/answer.ts'
import { serial, settleAll } from '../base/promise.ts'
import { API_PATH } from '../contract/operations.ts'
import { answerHook } from '../git/follow/hook.ts'
import { importFailure } from '../git/pull/source-state.ts'
import type { Outages } from '../http/edge.ts'
import { ownReplies } from '../http/service/own-replies.ts'
import type { ServiceContext } from '../http/service/routes.ts'
import { makeService, type Service } from '../http/service/service.ts'
import { behindProxies } from '../http/trusted-proxies.ts'
import { CODE_REPLACED, isCodeReplaced } from '../processes/program-code.ts'
import type { DamageMonitor } from '../serving/health/damage-monitor.ts'
import { openReadiness, type Readiness } from '../serving/health/readiness.ts'
import type { StoreMonitor } from '../serving/health/store-monitor.ts'
import { type ChangeEffects, changeHandler } from '../serving/pointers/change-watcher.ts'
import { servedKeys } from '../serving/publications/revisions.ts'
import { openResponseCache } from '../serving/replies/response-cache.ts'
import { openUsageWriter } from '../serving/usage.ts'
import { signOutFrom } from '../signin/people/signout.ts'
import type { Live } from '../site/live.ts'
import { unavailable } from '../site/pages/standalone-page.ts'
import type { Site } from '../site/site.ts'
import { findObject } from '../store/catalogue/objects.ts'
import type { ReportRows } from '../store/database/damaged-row.ts'
import type { Database } from '../store/database/database.ts'
import { isRowSound } from '../store/database/row-checks.ts'
import { damageIn } from '../store/store-error.ts'
import { onceAMinute } from '../telemetry/log.ts'
import { editorPaths, openEditor } from './editor.ts'
import { checkApproved } from './git.ts'
import { loadCode } from './load-code.ts'
import { openShared, type ServiceSource, type Shared } from './shared.ts'
import { signinContext } from './signin.ts'
import { watchParts } from './watched-parts.ts'
import { guidePreparation, openWebsite, type Website } from './website.ts'

export type OpenService = {
  service: Service
  /** Serves all changes in the store since the last call. */
  handleChanges: (isReplaced?: boolean) => Promise<void>
  live: Live | undefined
  /**
   * Makes the fonts, libraries, indexes and pictures of the latest guides for their first readers, now and after each
   * publication.
   */
  prepare: () => void
  /** Ends all event streams, and opens no more. */
  endStreams: () => void
  monitor: StoreMonitor
  reportRows: ReportRows
  outages: Outages
  /** Reports from now on that it is not ready, and continues to answer. */
  drain: () => void
  close: () => Promise<void>
}

export async function openService(source: ServiceSource): Promise<OpenService> {
  const shared = await openShared(source)
  const { settings, log, limits, monitor, git } = shared
  const website = openWebsite({ ...shared, editorPath: editorPaths(settings, shared.base, shared.isLive) })
  watchParts(shared, website)
  const readiness = openReadiness({
    ...shared,
    graceMs: settings.database === undefined ? settings.readyGrace * 1000 : Number.POSITIVE_INFINITY,
    areFilesDown: shared.filesMonitor?.isDown,
    isLimitShared: limits.isShared,
    hasGitFailed: git && (() => git.follower.states().some(({ state }) => state === 'failed')),
  })
  const useWriter = openUseWriter(shared.database, shared.uses, log)
  const usageWriter = shared.usage && openUsageWriter(shared.database, shared.usage, shared.clock, log)
  const preparation = guidePreparation(shared.database, website)
  const inTurn = serial()
  const handle = changeHandler(shared.database, shared.pointers, changeEffects(shared, preparation.handlePublished))
  const handleChanges = (isReplaced?: boolean) => inTurn(() => handle(isReplaced))
  const context = contextOf(shared, website, readiness, handleChanges)
  const service = makeService(context, {
    origins: new Set(settings.cors),
    publicLimit: limits.publicLimit && { ...context.site, limit: limits.publicLimit },
  })
  const endLoading = loadCode(context, log)
  return {
    service: behindProxies(settings.trustedProxies, service),
    handleChanges,
    live: website.site.live,
    prepare: preparation.begin,
    endStreams: () => endStreams(shared, context),
    monitor,
    reportRows: shared.reportRows,
    outages: outagesOf(shared, website.site),
    drain: readiness.drain,
    close: async () => {
      endLoading()
      await Promise.all([useWriter.stop(), usageWriter?.stop(), shared.sessionUses.stop()])
      monitor.stop()
      shared.filesMonitor?.stop()
      shared.files.stop()
      shared.damage.stop()
      limits.close()
      await website.close()
    },
  }
}

function contextOf(
  shared: Shared,
  { site, lint }: Website,
  readiness: Readiness,
  refresh: () => Promise<void>,
): ServiceContext {
  const { settings, database, metrics, publicUrl, caches, assets, git, record, version = '0.0.0' } = shared
  const addresses = shared.urls
  const signin = signinContext(shared, site)
  return {
    api: { ...shared, addresses, responseCache: openResponseCache(caches, 'replies') },
    events: shared,
    site,
    agents: {
      ...shared,
      addresses,
      index: site.indexes,
      lint,
      pages: caches.open('agent-pages'),
      origins: new Set(settings.cors),
      loadMcp: mcpLoader(version),
    },
    signin,
    manage: {
      ...shared,
      site,
      formSecret: signin.formSecret,
      signOut: (request, workspace) => signOutFrom(signin, request, workspace),
      refresh,
      checkRepositories: checkApproved(settings, git),
      importFailure: ref => git && importFailure(git.follower.states(), ref),
    },
    editor: openEditor(shared, site),
    tokens: { ...shared, throttle: signin.throttle, baseUrl: publicUrl + API_PATH },
    own: ownReplies({
      publicUrl,
      assets,
      readiness: readiness.check,
      keySet: lastKnown(() => publicKeySet(database), shared.reportOutage),
      metrics: metrics.text,
    }),
    hook:
      git && (request => answerHook({ secret: git.hookSecret, follower: git.follower, publicUrl, record }, request)),
  }
}

function endStreams({ streams }: Shared, { editor }: ServiceContext): void {
  streams.close()
  editor.endStreams()
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

function outagesOf({ database, log, monitor, filesMonitor, damage }: Shared, site: Site): Outages {
  const reportReplaced = onceAMinute((err: unknown) => log.error({ err }, CODE_REPLACED))
  return {
    report: (error, requestId) => {
      if (recordDamage(damage, error, database, monitor)) return true
      if (isCodeReplaced(error)) {
        reportReplaced(error)
        return true
      }
      const report = () => monitor.reportOutage(error, requestId)
      return filesMonitor?.reportOutage(error, report) || report()
    },
    reply: request => unavailable(request, site),
  }
}

function changeEffects(shared: Shared, handlePublished: () => void): ChangeEffects {
  const { log, metrics, caches, pointers, revisions, verifier, streams, shares, signins, sessions } = shared
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
      await settleAll([verifier.refresh(isReplaced), signins.refresh()])
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
      if (state) caches.keepContent(id, await servedKeys(state, revisions, pointers.drafts.inMemory(id)))
    },
  }
}

const OLDER =
  'the database is older than before, as after a restored backup or a failover to a late standby: everything is read again, and lost revocations and publications must be repeated'

/** Whether an error is about damaged content. Reports damage in the database; the file reader reports its own. */
function recordDamage(
  damage: DamageMonitor,
  error: unknown,
  database: Database,
  { check }: Pick<StoreMonitor, 'check'>,
): boolean {
  const damaged = damageIn(error)
  if (!damaged || damaged.isMissing) return false
  const { place } = damaged
  if (place.kind === 'object')
    damage.found(damaged, async () => {
      await findObject(database, place.workspace, place.hash)
      return true
    })
  if (place.kind === 'row') damage.found(damaged, () => isRowSound(database, place))
  if (place.kind === 'key')
    damage.found(damaged, async () => {
      for (const record of await currentKeys(database)) if (record.kid === place.kid) await checkWithoutSecret(record)
      return true
    })
  if (place.kind === 'database')
    void check().then(({ isMoved, unreadableMs }) => {
      // The store monitor reports a database that is not readable at all.
      if (!isMoved && unreadableMs === undefined)
        damage.found(damaged, async () => (await database.faults()).length === 0)
    })
  return true
}
