import type { Issuer, ReadOwn } from './issuer.ts'

/** The issuers whose tokens are accepted. */
export type Issuers = {
  /** Returns a new list after each change. */
  current: () => readonly Issuer[]
  /** Reads this store's own issuer again. If two calls overlap, the result of the later one wins. */
  refresh: (mayBeOlder?: boolean) => Promise<void>
}

/** Combines this store's own issuer with the others. `changed` is called for each new value. */
export async function openIssuers(readOwn: ReadOwn, others: readonly Issuer[], changed: () => void): Promise<Issuers> {
  let own = await readOwn()
  let issuers = [own, ...others]
  let calls = 0
  let currentCall = 0
  return {
    current: () => issuers,
    refresh: async mayBeOlder => {
      calls++
      const call = calls
      const latest = await readOwn(mayBeOlder)
      if (call < currentCall) return
      currentCall = call
      if (latest === own) return
      own = latest
      issuers = [own, ...others]
      changed()
    },
  }
}
