import type { StoreMonitor } from './store-monitor.ts'

/** Says whether a service can answer. */
export type Readiness = {
  check: () => Promise<{ isReady: boolean; text: string }>
  /** From now on it says that the service is ending. */
  drain: () => void
}

/** What a service needs to be ready. */
export type ReadinessParts = {
  monitor: StoreMonitor
  /** How long the service may go on answering from memory, in milliseconds. */
  graceMs: number
  /** Whether the limit is shared; undefined if it is not meant to be. */
  isLimitShared: () => boolean | undefined
}

/** Says that the service is ready, degraded (it answers, but lacks something), or unavailable. */
export function openReadiness({ monitor, graceMs, isLimitShared }: ReadinessParts): Readiness {
  let isDraining = false
  return {
    check: async () => {
      const { isMoved, unreadableMs } = await monitor.check()
      if (isDraining) return unavailable('the service is ending')
      if (isMoved) return unavailable('the data folder was moved or replaced')
      if (unreadableMs !== undefined && unreadableMs >= graceMs) return unavailable('database')
      const missing: string[] = []
      if (unreadableMs !== undefined) missing.push('database')
      if (isLimitShared() === false) missing.push('limits')
      return { isReady: true, text: missing.length === 0 ? 'ready' : `degraded: ${missing.join(', ')}` }
    },
    drain: () => {
      isDraining = true
    },
  }
}

function unavailable(why: string): { isReady: false; text: string } {
  return { isReady: false, text: `unavailable: ${why}` }
}
