/** Detects pauses of the process, during which it noticed no changes. */
export type PauseDetector = {
  /** The recovery from the latest pause while it is under way; otherwise undefined. */
  recovery: () => Promise<void> | undefined
  stop: () => void
}

/**
 * Starts `recover` once for each pause: a signal stopped the process, its event loop was blocked, or its machine was
 * suspended. `clock` is the time of day in milliseconds, because monotonic clocks stop while a machine is suspended. A
 * step of the clock also counts as a pause. `recover` never rejects, and returns undefined if there is nothing to wait
 * for.
 */
export function detectPauses(clock: () => number, recover: () => Promise<void> | undefined): PauseDetector {
  let lastMs = clock()
  let recovering: Promise<void> | undefined
  const recovery = () => {
    const nowMs = clock()
    if (Math.abs(nowMs - lastMs) > PAUSE_MS) {
      lastMs = nowMs
      const latest = recover()?.then(() => {
        if (recovering === latest) recovering = undefined
      })
      recovering = latest
    }
    return recovering
  }
  const timer = setInterval(() => {
    recovery()
    lastMs = clock()
  }, INTERVAL_MS)
  timer.unref()
  return { recovery, stop: () => clearInterval(timer) }
}

const PAUSE_MS = 500
const INTERVAL_MS = 100
