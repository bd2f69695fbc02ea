/** The options of upkeep if nobody watches and nothing serves. */
export const UPKEEP = {
  now: () => new Date(),
  signal: new AbortController().signal,
  progress: () => undefined,
  graceMs: 0,
}
