import type { Caches } from '#platform/caches/caches.ts'
import type { PoolUsage } from '#platform/processes/pool.ts'
import type { Settings } from '#platform/settings/settings.ts'
import type { Metrics } from '#platform/telemetry/metrics.ts'
import type { Sample } from '#platform/telemetry/metrics-table.ts'
import type { SourceState } from '#publishing/git/pull/source-state.ts'
import type { DamageCounts } from '#serving/health/damage-monitor.ts'
import type { Database } from '#store/database/database.ts'
import type { Store } from '#store/store.ts'
import type { Shared } from './shared.ts'
import type { Website } from './website.ts'

/** Makes metrics show the current state of these objects on each request. */
export function watchParts({ source, access, service, issuers, streams, health }: Shared, website: Website): void {
  const { settings, store, git, clock, metrics, texts } = source
  const pools = () => [...website.pools(), texts.usage()]
  const { watch } = metrics
  watchCaches(metrics, access.caches)
  watch('housestyle_worker_processes', () => processSamples(pools()))
  watch('housestyle_worker_waiting', () => pools().map(({ task, waiting }): Sample => [{ task }, waiting]))
  watch('housestyle_clock_offset_seconds', () => offsetSamples(settings, store, issuers))
  watch('housestyle_store_change', () => [[{}, service.pointers.version()]])
  watch('housestyle_event_streams', () => [[{}, streams.count()]])
  watchHealth(metrics, health)
  if (git) watchRepositories(metrics, git.follower.states, clock)
  watchConnections(metrics, access.database)
}

function watchCaches({ watch }: Metrics, { usage, total }: Caches): void {
  watch('housestyle_cache_bytes', () => usage().map(({ cache, bytes }): Sample => [{ cache }, bytes]))
  watch('housestyle_cache_used_bytes', () => [[{}, total().bytes]])
  watch('housestyle_cache_limit_bytes', () => [[{}, total().maxBytes]])
  watch('housestyle_cache_entries', () => usage().map(({ cache, entries }): Sample => [{ cache }, entries]))
  watch('housestyle_cache_requests_total', () =>
    usage().flatMap(({ cache, hits, misses }): Sample[] => [
      [{ cache, result: 'hit' }, hits],
      [{ cache, result: 'miss' }, misses],
    ]),
  )
}

function watchHealth({ watch }: Metrics, { monitor, files, damage }: Shared['health']): void {
  watch('housestyle_store_up', () => {
    const { isMoved, unreadableMs, isUnwritable } = monitor.state()
    const isUp = {
      database: unreadableMs === undefined,
      folder: !isMoved,
      ...(monitor.hasDisk && { disk: !isUnwritable }),
      ...(files.monitor && { files: !files.monitor.isDown() }),
    }
    return Object.entries(isUp).map(([part, value]): Sample => [{ part }, value ? 1 : 0])
  })
  watch('housestyle_content_damaged', () => damageSamples(damage.counts()))
  watch('housestyle_content_damage_found_total', () => damageSamples(damage.totals()))
}

function watchRepositories({ watch }: Metrics, states: () => readonly SourceState[], clock: () => number): void {
  watch('housestyle_git_pull_up', () =>
    states().map((source): Sample => [sourceLabels(source), source.state === 'failed' ? 0 : 1]),
  )
  watch('housestyle_git_pull_age_seconds', () => states().map(state => ageSample(state, clock())))
}

function watchConnections({ watch }: Metrics, { connections }: Database): void {
  if (!connections) return
  watch('housestyle_database_connections', () => {
    const { busy, idle } = connections()
    return [
      [{ state: 'busy' }, busy],
      [{ state: 'idle' }, idle],
    ]
  })
  watch('housestyle_database_waiting', () => [[{}, connections().waiting]])
}

function processSamples(pools: readonly PoolUsage[]): Sample[] {
  return pools.flatMap(({ task, busy, idle }): Sample[] => [
    [{ task, state: 'busy' }, busy],
    [{ task, state: 'idle' }, idle],
  ])
}

function damageSamples({ files, database }: DamageCounts): Sample[] {
  return [
    [{ part: 'files' }, files],
    [{ part: 'database' }, database],
  ]
}

/** The time since the last good state of a repository; infinite if it never had one. */
function ageSample(source: SourceState, now: number): Sample {
  const { goodAt } = source
  const ageMs = goodAt === null ? Number.POSITIVE_INFINITY : Math.max(0, now - Date.parse(goodAt))
  return [sourceLabels(source), ageMs / 1000]
}

function sourceLabels({ url, ref, path }: SourceState) {
  return { repository: url, ref: ref ?? '', path: path ?? '' }
}

/** The leads of other clocks over that of this machine, of which some are not known. */
function offsetSamples({ database }: Settings, { clock }: Store, { clockWatch }: Shared['issuers']): Sample[] {
  const offsets = [
    ['database', database === undefined ? undefined : clock.offsetMs()],
    ['issuer', clockWatch.offsetMs()],
  ] as const
  return offsets.flatMap(([source, offsetMs]): Sample[] =>
    offsetMs === undefined ? [] : [[{ source }, offsetMs / 1000]],
  )
}
