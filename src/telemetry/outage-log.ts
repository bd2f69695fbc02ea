/** Logs when something stops working and when it works again, once each. */
export type OutageLog = {
  /**
   * A reporter for each caller that tries again and again: the outage lasts while the latest try of any of them failed.
   */
  reporter: () => OutageReporter
  /** How long the outage has lasted, in milliseconds; undefined if there is none. */
  durationMs: () => number | undefined
}

/** Reports how each try went. */
export type OutageReporter = { failed: (error: unknown) => void; worked: () => void }

/** Opens the log of one thing that may be away: `began` and `ended` write its lines. */
export function openOutageLog(began: (error: unknown) => void, ended: () => void, ticks: () => number): OutageLog {
  let failing = 0
  let since = 0
  const reporter = (): OutageReporter => {
    let hasFailed = false
    return {
      failed: error => {
        if (hasFailed) return
        hasFailed = true
        failing++
        if (failing > 1) return
        since = ticks()
        began(error)
      },
      worked: () => {
        if (!hasFailed) return
        hasFailed = false
        failing--
        if (failing === 0) ended()
      },
    }
  }
  return { reporter, durationMs: () => (failing > 0 ? ticks() - since : undefined) }
}
