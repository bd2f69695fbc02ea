import { checkWithoutSecret } from '../access/keys/checked-key.ts'
import { currentKeys } from '../access/keys/signing.ts'
import { openUseWriter } from '../access/last-use/uses.ts'
import { settleAll } from '../base/promise.ts'
import type { Outages } from '../http/edge.ts'
import { behindProxies } from '../http/proxies/trusted-proxies.ts'
import { makeService, type Service } from '../http/service/service.ts'
import { CODE_REPLACED, isCodeReplaced } from '../processes/program-code.ts'
import type { DamageMonitor } from '../serving/health/damage-monitor.ts'
import type { StoreMonitor } from '../serving/health/store-monitor.ts'
import { type ChangeEffects, changeHandler } from '../serving/pointers/change-watcher.ts'
import { servedKeys } from '../serving/publications/served-keys.ts'
import type { Live } from '../site/live.ts'
import { unavailable } from '../site/pages/unavailable.ts'
import { findObject } from '../store/catalogue/objects.ts'
import type { Database } from '../store/database/database.ts'
import { damageIn } from '../store/store-error.ts'
import { onceAMinute } from '../telemetry/once-a-minute.ts'
import { loadCode } from './load-code.ts'
import { openParts, type Parts, type ServiceSource, serviceContext } from './service-parts.ts'

/** A service without a socket. */
export type OpenService = {
  service: Service
  /** Serves all changes in the store since the last call. */
  handleChanges: (isReplaced?: boolean) => Promise<void>
  live: Live | undefined
  /** Ends all event streams, and opens no more. */
  endStreams: () => void
  monitor: StoreMonitor
  outages: Outages
  /** Reports from now on that it is not ready, and continues to answer. */
  drain: () => void
  close: () => Promise<void>
}

export async function openService(source: ServiceSource): Promise<OpenService> {
  const parts = await openParts(source)
  const { streams, monitor, limits, website, readiness } = parts
  const { files, filesMonitor, damage } = parts.watchedFiles
  const useWriter = openUseWriter(source.store.database, parts.uses, source.log)
  const context = serviceContext(source, parts)
  const service = makeService(context, {
    origins: new Set(source.settings.cors),
    publicLimit: limits.publicLimit && { ...context.site, limit: limits.publicLimit },
  })
  const endLoading = loadCode(context, source.log)
  return {
    service: behindProxies(source.settings.trustedProxies, service),
    handleChanges: changeHandler(source.store.database, parts.pointers, changeEffects(source, parts)),
    live: website.site.live,
    endStreams: streams.close,
    monitor,
    outages: outagesOf(source, parts),
    drain: readiness.drain,
    close: async () => {
      endLoading()
      await useWriter.stop()
      monitor.stop()
      filesMonitor?.stop()
      files.stop()
      damage.stop()
      limits.close()
      await website.close()
    },
  }
}

/** Recognizes errors of the store and of the installed package. */
function outagesOf({ store, log }: ServiceSource, { monitor, watchedFiles, website }: Parts): Outages {
  const { filesMonitor, damage } = watchedFiles
  const reportReplaced = onceAMinute((err: unknown) => log.error({ err }, CODE_REPLACED))
  return {
    report: (error, requestId) => {
      if (recordDamage(damage, error, store.database, monitor)) return true
      if (isCodeReplaced(error)) {
        reportReplaced(error)
        return true
      }
      const report = () => monitor.reportOutage(error, requestId)
      return filesMonitor?.reportOutage(error, report) || report()
    },
    reply: request => unavailable(request, website.site),
  }
}

function changeEffects({ log, metrics }: ServiceSource, parts: Parts): ChangeEffects {
  const { caches, pointers, revisions, verifier, streams, shares, signins, sessions } = parts
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
      if (published > 0) metrics.countPublications('published', published)
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

/**
 * Whether an error is about damaged content. Reports damage in the database to the monitor; the file reader reports
 * damage in files itself.
 */
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
