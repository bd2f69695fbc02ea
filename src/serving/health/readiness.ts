import { withTimeout } from '../../base/promise.ts'
import type { DamageMonitor } from './damage-monitor.ts'
import type { StoreMonitor } from './store-monitor.ts'

/** Says whether a service can answer. */
export type Readiness = {
  check: () => Promise<ReadinessState>
  /** From now on it says that the service is ending. */
  drain: () => void
}

/** Whether a service can answer, and in words what it lacks. */
type ReadinessState = { isReady: boolean; text: string }

/** What a service needs to be ready. */
export type ReadinessParts = {
  monitor: StoreMonitor
  /**
   * How long the service may go on answering from memory, in milliseconds. For ever if the database is one that all
   * processes share: a load balancer that turns away from each of them makes an outage of everything.
   */
  graceMs: number
  /** Whether the files cannot be reached; undefined if they are on this machine. */
  areFilesAway: (() => boolean) | undefined
  /** The content that is known to be damaged. */
  damage: Pick<DamageMonitor, 'counts'>
  /** Whether the limit is shared; undefined if it is not meant to be. */
  isLimitShared: () => boolean | undefined
}

/** Says that the service is ready, degraded (it answers, but lacks something), or unavailable. */
export function openReadiness({ monitor, graceMs, areFilesAway, damage, isLimitShared }: ReadinessParts): Readiness {
  let isDraining = false
  return {
    check: async () => {
      const { isMoved, unreadableMs } = await withTimeout(PATIENCE_MS, monitor.check(), monitor.state)
      if (isDraining) return unavailable('the service is ending')
      if (isMoved) return unavailable('the data folder was moved or replaced')
      if (unreadableMs !== undefined && unreadableMs >= graceMs) return unavailable('database')
      const missing: string[] = []
      const damaged = damage.counts()
      if (unreadableMs !== undefined || damaged.database > 0) missing.push('database')
      if (areFilesAway?.() || damaged.files > 0) missing.push('files')
      if (isLimitShared() === false) missing.push('limits')
      return { isReady: true, text: missing.length === 0 ? 'ready' : `degraded: ${missing.join(', ')}` }
    },
    drain: () => {
      isDraining = true
    },
  }
}

/** Probes of a service hardly wait longer for a check; they are told what the last one found. */
const PATIENCE_MS = 500

function unavailable(why: string): { isReady: false; text: string } {
  return { isReady: false, text: `unavailable: ${why}` }
}
