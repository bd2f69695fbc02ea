export type OutageLog = {
  /** Returns a reporter for a caller that retries: the outage lasts while the latest attempt of any caller failed. */
  reporter: () => OutageReporter
  /** In milliseconds; undefined if there is none. */
  durationMs: () => number | undefined
}

export type OutageReporter = { failed: (error: unknown) => void; worked: () => void }

/** Opens the log of one dependency: `began` and `ended` write its lines. */
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
