import { withTimeout } from '#platform/base/promise.ts'
import type { DamageMonitor } from './damage-monitor.ts'
import type { StoreMonitor } from './store-monitor.ts'

export type Readiness = {
  check: () => Promise<ReadinessState>
  /** From now on, `check` says that the service is ending. */
  drain: () => void
}

type ReadinessState = { isReady: boolean; text: string }

export type ReadinessSource = {
  monitor: StoreMonitor
  /**
   * How long the service may answer from memory, in milliseconds. Infinite if all processes share the database: a load
   * balancer that removed all of them would cause a full outage (decisions/0353).
   */
  graceMs: number
  /** Whether the files cannot be reached; undefined if they are on this machine. */
  areFilesDown: (() => boolean) | undefined
  damage: DamageMonitor
  /** Whether the limit is shared; undefined if it need not be. */
  isLimitShared: () => boolean | undefined
  /** Whether a followed repository cannot be published; undefined if none is followed. */
  hasGitFailed?: (() => boolean) | undefined
}

/** Reports that the service is ready, degraded (it answers, but lacks something), or unavailable. */
export function openReadiness(source: ReadinessSource): Readiness {
  const { monitor, graceMs, areFilesDown, damage, isLimitShared, hasGitFailed } = source
  let isDraining = false
  return {
    check: async () => {
      const { isMoved, unreadableMs, isUnwritable } = await withTimeout(MAX_WAIT_MS, monitor.check(), monitor.state)
      if (isDraining) return unavailable('the service is ending')
      if (isMoved) return unavailable('the data folder was moved or replaced')
      if (unreadableMs !== undefined && unreadableMs >= graceMs) return unavailable('database')
      const missing: string[] = []
      const damaged = damage.counts()
      if (unreadableMs !== undefined || damaged.database > 0) missing.push('database')
      if (isUnwritable) missing.push('disk')
      if (areFilesDown?.() || damaged.files > 0) missing.push('files')
      if (isLimitShared() === false) missing.push('limits')
      if (hasGitFailed?.()) missing.push('git')
      return { isReady: true, text: missing.length === 0 ? 'ready' : `degraded: ${missing.join(', ')}` }
    },
    drain: () => {
      isDraining = true
    },
  }
}

/** Health probes have short timeouts, so a slow check returns the previous result. */
const MAX_WAIT_MS = 500

function unavailable(why: string): { isReady: false; text: string } {
  return { isReady: false, text: `unavailable: ${why}` }
}
