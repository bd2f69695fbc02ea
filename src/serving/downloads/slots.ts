/** How many slots there are together and for one owner, and how long to wait for one, in milliseconds. */
export type SlotLimits = { inAll: number; each: number; waitMs: number }

/**
 * Slots for work that takes long. Owners take turns in getting those that come free, so that one who waits for many
 * does not keep the others waiting.
 */
export class Slots {
  readonly #limits: SlotLimits
  readonly #taken = new Map<string, number>()
  /** By owner, in the order of their turns; no set is empty. */
  readonly #waiting = new Map<string, Set<Waiter>>()
  #inUse = 0

  constructor(limits: SlotLimits) {
    this.#limits = limits
  }

  /**
   * Takes a slot, if need be after a wait, and gives the function that frees it. Undefined if no slot came free in
   * time, if too many wait already, or if the signal aborts, which also frees a slot that was taken.
   */
  async take(owner: string, unwanted: AbortSignal): Promise<(() => void) | undefined> {
    if (unwanted.aborted || this.#isFull(owner)) return undefined
    const { promise, resolve } = Promise.withResolvers<(() => void) | undefined>()
    const waiters = this.#waiting.get(owner) ?? new Set()
    this.#waiting.set(owner, waiters.add(resolve))
    const giveUp = () => {
      waiters.delete(resolve)
      if (this.#waiting.get(owner) === waiters && waiters.size === 0) this.#waiting.delete(owner)
      resolve(undefined)
    }
    const limit = setTimeout(giveUp, this.#limits.waitMs)
    unwanted.addEventListener('abort', giveUp, { once: true })
    this.#grant()
    const release = await promise
    clearTimeout(limit)
    unwanted.removeEventListener('abort', giveUp)
    if (release && unwanted.aborted) release()
    else if (release) unwanted.addEventListener('abort', release, { once: true })
    return unwanted.aborted ? undefined : release
  }

  /** Gives what is free to those who wait and may have it. */
  #grant(): void {
    for (;;) {
      const next =
        this.#inUse < this.#limits.inAll && this.#waiting.entries().find(([owner]) => this.#mayHaveMore(owner))
      if (!next) return
      const [owner, waiters] = next
      const [first] = waiters
      if (first) waiters.delete(first)
      this.#waiting.delete(owner)
      if (waiters.size > 0) this.#waiting.set(owner, waiters)
      first?.(this.#occupy(owner))
    }
  }

  /** Whether so many wait that another would hardly get a slot in time. */
  #isFull(owner: string): boolean {
    const waiting = this.#waiting.get(owner)?.size ?? 0
    return waiting >= this.#limits.each * MAX_WAITING_EACH || this.#waiting.size >= this.#limits.inAll * MAX_OWNERS_EACH
  }

  #mayHaveMore(owner: string): boolean {
    return (this.#taken.get(owner) ?? 0) < this.#limits.each
  }

  #occupy(owner: string): () => void {
    this.#inUse++
    this.#taken.set(owner, (this.#taken.get(owner) ?? 0) + 1)
    let isTaken = true
    return () => {
      if (isTaken) this.#free(owner)
      isTaken = false
    }
  }

  #free(owner: string): void {
    this.#inUse--
    const left = (this.#taken.get(owner) ?? 1) - 1
    if (left > 0) this.#taken.set(owner, left)
    else this.#taken.delete(owner)
    this.#grant()
  }
}

type Waiter = (release: () => void) => void

/** How many may wait for each slot of an owner, and how many owners for each slot of all. */
const MAX_WAITING_EACH = 8
const MAX_OWNERS_EACH = 32
