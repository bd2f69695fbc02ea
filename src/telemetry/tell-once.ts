/** Told how each look at something went. */
export type Look = { failed: (error: unknown) => void; worked: () => void }

/** Something that may be away for a while. */
export type Outage = {
  /** A look of its own for each who looks: it is away as long as the latest of any of them failed. */
  look: () => Look
  /** How long it has been away, in milliseconds; undefined where it is not. */
  lastsMs: () => number | undefined
}

/** Tells once that something is away and once that it is back, however many look, and however often. */
export function tellOnce(began: (error: unknown) => void, ended: () => void, ticks: () => number): Outage {
  let failing = 0
  let since = 0
  const look = (): Look => {
    let hasFailed = false
    return {
      failed: error => {
        if (hasFailed) return
        hasFailed = true
        failing++
        if (failing > 1) return
        since = ticks()
        began(error)
      },
      worked: () => {
        if (!hasFailed) return
        hasFailed = false
        failing--
        if (failing === 0) ended()
      },
    }
  }
  return { look, lastsMs: () => (failing > 0 ? ticks() - since : undefined) }
}
