/** Limits a function to one call per minute, for example to log a line. The first call runs at once. */
export function onceAMinute<Args extends readonly unknown[]>(
  act: (...args: Args) => void,
  now: () => number = () => performance.now(),
): (...args: Args) => void {
  let doneAt = Number.NEGATIVE_INFINITY
  return (...args) => {
    const nowMs = now()
    if (nowMs - doneAt < MINUTE_MS) return
    doneAt = nowMs
    act(...args)
  }
}

const MINUTE_MS = 60_000
