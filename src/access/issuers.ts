import type { Issuer } from './issuer.ts'

/** The issuers whose tokens are accepted, as this process knows them. */
export type Issuers = {
  /** A new list whenever something has changed. */
  current: () => readonly Issuer[]
  /** Reads this store's own issuer again. */
  refresh: () => Promise<void>
  /** Reads it again too, but not more than once a second; whoever asks meanwhile waits for the same reading. */
  lookForNews: (nowMs: number) => Promise<void>
}

/**
 * Keeps this store's own issuer beside the others; `changed` hears of each reading. Readings come one after the other, so
 * that what was read earlier never takes the place of what was read later.
 */
export async function keepIssuers(
  readOwn: () => Promise<Issuer>,
  others: readonly Issuer[],
  changed: () => void,
): Promise<Issuers> {
  let issuers = [await readOwn(), ...others]
  let last = Promise.resolve()
  let looking = last
  let lookedAt = Number.NEGATIVE_INFINITY
  const read = async () => {
    issuers = [await readOwn(), ...others]
    changed()
  }
  const refresh = () => {
    const done = last.then(read)
    last = done.catch(() => undefined)
    return done
  }
  return {
    current: () => issuers,
    refresh,
    lookForNews: nowMs => {
      if (Math.abs(nowMs - lookedAt) > LOOK_MS) {
        lookedAt = nowMs
        // A store that cannot be read is told by whoever follows it.
        looking = refresh().catch(() => undefined)
      }
      return looking
    },
  }
}

const LOOK_MS = 1000
