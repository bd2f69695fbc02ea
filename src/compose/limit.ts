import type { Allowance, Limit } from '../access/limit/limit.ts'
import { memoryLimit } from '../access/limit/limit-memory.ts'
import type { SharingChange } from '../access/limit/limit-with-fallback.ts'
import type { LimitsAddress } from '../settings/limits-address.ts'
import type { Settings } from '../settings.ts'
import { type Log, SILENT } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { type Timing, timerOf } from './timed-store.ts'

/** The limits of a service; one that is not set is undefined. */
export type OpenLimits = {
  /** By workspace. */
  limit: Limit | undefined
  /** By the network of an address, for what everyone may see. */
  publicLimit: Limit | undefined
  /** Whether other processes share them; undefined if none is meant to. */
  isShared: () => boolean | undefined
  close: () => void
}

type LimitsSource = Timing & { log: Log; metrics: Metrics; limitChanged?: LimitChanged | undefined }

/** Called when a limit is shared or no longer, in place of a line of the log. */
export type LimitChanged = (limit: 'rate' | 'ratePublic', change: SharingChange) => void

/**
 * Opens the limits that are set. The client of shared ones is loaded only if it is needed. `counting` is how this process
 * counts, alone or as long as shared ones do not answer; in memory of this thread, if it is absent.
 */
export async function openLimits(
  { rate, ratePublic, limits }: Pick<Settings, 'rate' | 'ratePublic' | 'limits'>,
  source: LimitsSource,
  counting: Counting = { rate: rate && memoryLimit(rate), ratePublic: ratePublic && memoryLimit(ratePublic) },
): Promise<OpenLimits> {
  if (limits && (rate || ratePublic)) return openShared(counting, limits, source)
  return {
    limit: counting.rate,
    publicLimit: counting.ratePublic,
    isShared: () => undefined,
    close: () => undefined,
  }
}

/** The limits as this process counts them. */
type Counting = { rate: Limit<Allowance> | undefined; ratePublic: Limit<Allowance> | undefined }

async function openShared(
  { rate, ratePublic }: Counting,
  address: LimitsAddress,
  { log, metrics, limitChanged, ...timing }: LimitsSource,
): Promise<OpenLimits> {
  const { isShared, reportFor } = sharing(limitChanged ? SILENT : log)
  metrics.watch('housestyle_limit_shared', () => [[{}, isShared() ? 1 : 0]])
  const timer = timerOf('redis', { metrics, ...timing })
  const { openLimitWithFallback } = await import('../access/limit/limit-with-fallback.ts')
  const open = async (name: 'rate' | 'ratePublic', counting: Limit<Allowance> | undefined) => {
    const report = reportFor(name)
    const changed = (change: SharingChange) => {
      report(change)
      limitChanged?.(name, change)
    }
    return counting && openLimitWithFallback(counting, address, changed, async work => timer('spend', work))
  }
  const [limit, publicLimit] = await Promise.all([open('rate', rate), open('ratePublic', ratePublic)])
  const close = () => {
    limit?.close()
    publicLimit?.close()
  }
  return { limit, publicLimit, isShared, close }
}

/** Logs once if one of the limits cannot be shared, and once if all can be again. */
export function sharing(log: Log) {
  const states = new Map<unknown, boolean>()
  const isShared = () => [...states.values()].every(Boolean)
  let logged: boolean | undefined
  const reportFor = (limit: unknown) => (change: SharingChange) => {
    states.set(limit, change.isShared)
    if (isShared() === logged) return
    logged = isShared()
    if (change.isShared) log.info({}, 'the limit is shared with the other processes')
    else log.warn({ reason: change.reason }, 'the limit cannot be shared: until it can, this process counts on its own')
  }
  return { isShared, reportFor }
}
