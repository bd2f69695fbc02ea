import type { Limit } from '../access/limit/limit.ts'
import { memoryLimit } from '../access/limit/limit-memory.ts'
import type { SharingChange } from '../access/limit/limit-with-fallback.ts'
import type { Settings } from '../settings.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { timerOf } from './timed-store.ts'

/** The limit of a service. */
export type OpenLimit = {
  limit: Limit
  /** Whether other processes share it; undefined if none is meant to. */
  isShared: () => boolean | undefined
  close: () => void
}

/** Opens the limit, if one is set. The client of a shared one is loaded only if it is needed. */
export async function openLimit(
  { rate, limits }: Pick<Settings, 'rate' | 'limits'>,
  log: Log,
  { metrics, ticks }: { metrics: Metrics; ticks: () => number },
): Promise<OpenLimit | undefined> {
  if (!rate) return undefined
  if (!limits) return { limit: memoryLimit(rate), isShared: () => undefined, close: () => undefined }
  let isShared = false
  metrics.watch('housestyle_limit_shared', () => [[{}, isShared ? 1 : 0]])
  const changed = (change: SharingChange) => {
    isShared = change.isShared
    if (change.isShared) log.info({}, 'the limit is shared with the other processes')
    else log.warn({ reason: change.reason }, 'the limit cannot be shared: until it can, this process counts on its own')
  }
  const timer = timerOf('redis', { metrics, ticks })
  const { openLimitWithFallback } = await import('../access/limit/limit-with-fallback.ts')
  const limit = await openLimitWithFallback(rate, limits, changed, async work => timer('spend', work))
  return { limit, isShared: () => isShared, close: limit.close }
}
