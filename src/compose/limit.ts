import type { Limit } from '../access/limit/limit.ts'
import { memoryLimit } from '../access/limit/limit-memory.ts'
import type { Settings } from '../settings.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'

/** A limit; one that is to be shared tells whether it is. */
export type OpenLimit = Limit & { close?: () => void; isShared?: () => boolean }

/** The limit where one is set; what it takes to share it is loaded only where it is shared. */
export async function openLimit(
  { rate, limits }: Pick<Settings, 'rate' | 'limits'>,
  log: Log,
  metrics: Metrics,
): Promise<OpenLimit | undefined> {
  if (!rate || !limits) return rate && memoryLimit(rate)
  let isShared = false
  const { openLimitWithFallback } = await import('../access/limit/limit-with-fallback.ts')
  const shared = await openLimitWithFallback(rate, limits, change => {
    isShared = change.isShared
    metrics.setLimitShared(change.isShared)
    if (change.isShared) log.info({}, 'the limit is shared with the other processes')
    else log.warn({ reason: change.reason }, 'the limit cannot be shared: until it can, this process counts on its own')
  })
  return { ...shared, isShared: () => isShared }
}
