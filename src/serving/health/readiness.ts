import { setTimeout as sleep } from 'node:timers/promises'
import type { StoreMonitor, StoreState } from './store-monitor.ts'

/** Says whether a service can answer. */
export type Readiness = {
  check: () => Promise<ReadinessState>
  /** From now on it says that the service is ending. */
  drain: () => void
}

/** Whether a service can answer, and in words what it lacks. */
export type ReadinessState = { isReady: boolean; text: string }

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
  /** Whether the limit is shared; undefined if it is not meant to be. */
  isLimitShared: () => boolean | undefined
}

/** Says that the service is ready, degraded (it answers, but lacks something), or unavailable. */
export function openReadiness({ monitor, graceMs, areFilesAway, isLimitShared }: ReadinessParts): Readiness {
  let isDraining = false
  return {
    check: async () => {
      const { isMoved, unreadableMs } = await checkSoon(monitor)
      if (isDraining) return unavailable('the service is ending')
      if (isMoved) return unavailable('the data folder was moved or replaced')
      if (unreadableMs !== undefined && unreadableMs >= graceMs) return unavailable('database')
      const missing: string[] = []
      if (unreadableMs !== undefined) missing.push('database')
      if (areFilesAway?.()) missing.push('files')
      if (isLimitShared() === false) missing.push('limits')
      return { isReady: true, text: missing.length === 0 ? 'ready' : `degraded: ${missing.join(', ')}` }
    },
    drain: () => {
      isDraining = true
    },
  }
}

/** What a check finds or, if that takes longer than probes of a service wait, what the last one has found. */
async function checkSoon(monitor: StoreMonitor): Promise<StoreState> {
  const waiting = new AbortController()
  const late = sleep(PATIENCE_MS, undefined, { signal: waiting.signal }).then(monitor.state)
  late.catch(() => undefined)
  return Promise.race([monitor.check(), late]).finally(() => waiting.abort())
}

const PATIENCE_MS = 500

function unavailable(why: string): { isReady: false; text: string } {
  return { isReady: false, text: `unavailable: ${why}` }
}
