import type { Issuer } from './issuer.ts'

/** The issuers whose tokens are accepted. */
export type Issuers = {
  /** A new list whenever something has changed. */
  current: () => readonly Issuer[]
  /** Reads this store's own issuer again. If two readings overlap, the one that began later counts. */
  refresh: () => Promise<void>
}

/**
 * Keeps this store's own issuer together with the others. `readOwn` gives the same value as long as nothing has
 * changed; `changed` is called for every other value.
 */
export async function keepIssuers(
  readOwn: () => Promise<Issuer>,
  others: readonly Issuer[],
  changed: () => void,
): Promise<Issuers> {
  let own = await readOwn()
  let issuers = [own, ...others]
  let begun = 0
  let current = 0
  return {
    current: () => issuers,
    refresh: async () => {
      begun++
      const mine = begun
      const found = await readOwn()
      if (mine < current) return
      current = mine
      if (found === own) return
      own = found
      issuers = [own, ...others]
      changed()
    },
  }
}
