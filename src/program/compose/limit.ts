import { withReason } from '#platform/base/reason.ts'
import type { Settings } from '#platform/settings/settings.ts'
import type { LimitsAddress } from '#platform/settings/shared-addresses.ts'
import type { Log } from '#platform/telemetry/log.ts'
import type { Metrics } from '#platform/telemetry/metrics.ts'
import { type Allowance, type Limit, memoryLimit } from '#serving/access/limit/limit-memory.ts'
import type { SharingChange } from '#serving/access/limit/limit-with-fallback.ts'
import { type Timing, timerOf } from './timed-store.ts'

/** The limits of a service; undefined if not set. */
export type OpenLimits = {
  limit: Limit | undefined
  /** By the network of an address, for public content. */
  publicLimit: Limit | undefined
  /** Whether other processes share them; undefined if sharing is not configured. */
  isShared: () => boolean | undefined
  close: () => void
}

type LimitsSource = Timing & { log: Log; metrics: Metrics }

/** Opens the configured limits. While shared ones are unavailable, this process counts in its own memory. */
export async function openLimits(
  { rate, ratePublic, limits }: Pick<Settings, 'rate' | 'ratePublic' | 'limits'>,
  source: LimitsSource,
): Promise<OpenLimits> {
  const [limit, publicLimit] = [rate, ratePublic].map(each => each && memoryLimit(each))
  if (!limits || !(limit ?? publicLimit))
    return { limit, publicLimit, isShared: () => undefined, close: () => undefined }
  const { isShared, share } = await openSharing(limits, source)
  const [sharedLimit, sharedPublicLimit] = await Promise.all([limit, publicLimit].map(each => each && share(each)))
  const close = () => {
    sharedLimit?.close()
    sharedPublicLimit?.close()
  }
  return { limit: sharedLimit, publicLimit: sharedPublicLimit, isShared, close }
}

/** `share` makes a limit that the server at this address counts, and this process while the server is unavailable. */
async function openSharing(address: LimitsAddress, { log, metrics, ...timing }: LimitsSource) {
  const { isShared, reportFor } = trackSharing(log)
  metrics.watch('housestyle_limit_shared', () => [[{}, isShared() ? 1 : 0]])
  const timer = timerOf('redis', { metrics, ...timing })
  const { openLimitWithFallback } = await import('#serving/access/limit/limit-with-fallback.ts')
  const work = async <Value>(spend: () => Promise<Value>) => timer('spend', spend)
  const share = (counting: Limit<Allowance>) => openLimitWithFallback(counting, address, reportFor(counting), work)
  return { isShared, share }
}

const UNSHARED = 'the limit cannot be shared: until it can, this process counts on its own'

/**
 * Logs once when a limit cannot be shared, and once when all can be again. `reportFor` makes the function that a limit
 * calls when its own state changes.
 */
function trackSharing(log: Log) {
  const states = new Map<unknown, boolean>()
  const isShared = () => [...states.values()].every(Boolean)
  /** The state in the last line of the log. */
  let logged: boolean | undefined
  const reportFor = (limit: unknown) => (change: SharingChange) => {
    states.set(limit, change.isShared)
    if (isShared() === logged) return
    logged = isShared()
    if (change.isShared) log.info({}, 'the limit is shared with the other processes')
    else {
      const { reason, advice } = change
      log.warn({ reason }, withReason(advice === undefined ? UNSHARED : `${UNSHARED}; ${advice}`, reason))
    }
  }
  return { isShared, reportFor }
}
