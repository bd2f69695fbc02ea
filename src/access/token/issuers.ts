import type { Issuer } from './issuer.ts'

/** The issuers whose tokens are accepted. */
export type Issuers = {
  /** A new list whenever something has changed. */
  current: () => readonly Issuer[]
  /** Reads this store's own issuer again. If two calls overlap, the result of the later one is kept. */
  refresh: () => Promise<void>
}

/**
 * Keeps this store's own issuer together with the others. `readOwn` gives the same value until something has changed.
 * `changed` is called for each new value.
 */
export async function openIssuers(
  readOwn: () => Promise<Issuer>,
  others: readonly Issuer[],
  changed: () => void,
): Promise<Issuers> {
  let own = await readOwn()
  let issuers = [own, ...others]
  let calls = 0
  let currentCall = 0
  return {
    current: () => issuers,
    refresh: async () => {
      calls++
      const call = calls
      const latest = await readOwn()
      if (call < currentCall) return
      currentCall = call
      if (latest === own) return
      own = latest
      issuers = [own, ...others]
      changed()
    },
  }
}
