/** Makes a function that does `act` when it is first called, and then once a minute at most, as for a line of the log. */
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
