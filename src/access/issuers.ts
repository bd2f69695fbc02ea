import type { Issuer } from './issuer.ts'

/** The issuers whose tokens are accepted, as this process knows them. */
export type Issuers = {
  /** A new list whenever something has changed. */
  current: () => readonly Issuer[]
  /** Reads this store's own issuer again; one reading at a time, and whoever asks meanwhile shares the next. */
  refresh: () => Promise<void>
}

/**
 * Keeps this store's own issuer beside the others; `readOwn` gives the same value as long as nothing has changed, and
 * `changed` hears of every other.
 */
export async function keepIssuers(
  readOwn: () => Promise<Issuer>,
  others: readonly Issuer[],
  changed: () => void,
): Promise<Issuers> {
  let own = await readOwn()
  let issuers = [own, ...others]
  let last: Promise<unknown> = Promise.resolve()
  let next: Promise<void> | undefined
  const read = async () => {
    next = undefined
    const found = await readOwn()
    if (found === own) return
    own = found
    issuers = [own, ...others]
    changed()
  }
  return {
    current: () => issuers,
    refresh: () => {
      if (next) return next
      next = last.then(read)
      last = next.catch(() => undefined)
      return next
    },
  }
}
