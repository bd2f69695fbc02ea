/** The options of upkeep without progress and without running services. */
export const UPKEEP = {
  now: () => new Date(),
  signal: new AbortController().signal,
  progress: () => undefined,
  graceMs: 0,
}
