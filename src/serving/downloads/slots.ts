import { addTo } from '#platform/base/object.ts'

/** The number of slots, and the longest wait for one, in milliseconds. */
export type SlotLimits = {
  total: number
  perProject: number
  /** Limits for one client address. They are lower, so that others always find a slot. */
  perAddress: { total: number; perProject: number }
  waitMs: number
}

/** A project, and the address of the client that requests work on it. */
export type SlotUser = { project: string; address: string }

/**
 * Slots for long work. Projects take turns for free slots, so that a project with many waiting requests does not delay
 * the others. Within a project, addresses without a slot come first.
 */
export class Slots {
  readonly #limits: SlotLimits
  /** The numbers of taken slots by project, by address, and by both (`slotKey`). */
  readonly #taken = new Map<string, number>()
  /** Waiting requests by project, in the order of their turns; no set is empty. */
  readonly #waiting = new Map<string, Set<Waiter>>()
  readonly #waitingByAddress = new Map<string, number>()
  #inUse = 0

  constructor(limits: SlotLimits) {
    this.#limits = limits
  }

  /**
   * Takes a slot, waiting if necessary, and returns the function that releases it. Undefined if no slot became free in
   * time, if too many requests already wait, or if the signal aborts, which also releases a taken slot.
   */
  async take(user: SlotUser, signal: AbortSignal): Promise<(() => void) | undefined> {
    if (signal.aborted || this.#isFull(user)) return undefined
    const { promise, resolve } = Promise.withResolvers<(() => void) | undefined>()
    const waiter = { user, resolve }
    const giveUp = () => {
      this.#remove(waiter)
      resolve(undefined)
    }
    this.#add(waiter)
    const timer = setTimeout(giveUp, this.#limits.waitMs)
    signal.addEventListener('abort', giveUp, { once: true })
    this.#grant()
    const release = await promise
    clearTimeout(timer)
    signal.removeEventListener('abort', giveUp)
    if (release && signal.aborted) release()
    else if (release) signal.addEventListener('abort', release, { once: true })
    return signal.aborted ? undefined : release
  }

  /** Whether a waiting client could use the slot of this project if it became free. */
  isWaitedFor(project: string): boolean {
    const isFull = this.#inUse >= this.#limits.total
    return this.#waiting.entries().some(([other, waiters]) => {
      if (other !== project && !(isFull && this.#hasSlot(other))) return false
      return waiters.values().some(({ user }) => this.#mayTake(user))
    })
  }

  #add(waiter: Waiter): void {
    const { project, address } = waiter.user
    this.#waiting.set(project, (this.#waiting.get(project) ?? new Set()).add(waiter))
    addTo(this.#waitingByAddress, address, 1)
  }

  #remove(waiter: Waiter): void {
    const { project, address } = waiter.user
    const waiters = this.#waiting.get(project)
    if (!waiters?.delete(waiter)) return
    if (waiters.size === 0) this.#waiting.delete(project)
    addTo(this.#waitingByAddress, address, -1)
  }

  #grant(): void {
    while (this.#inUse < this.#limits.total) {
      const next = this.#next()
      if (!next) return
      const { project } = next.user
      this.#remove(next)
      // The project goes to the end of the turns.
      const othersOfProject = this.#waiting.get(project)
      this.#waiting.delete(project)
      if (othersOfProject) this.#waiting.set(project, othersOfProject)
      next.resolve(this.#occupy(next.user))
    }
  }

  #next(): Waiter | undefined {
    for (const [project, waiters] of this.#waiting) {
      if (!this.#hasSlot(project)) continue
      const eligible = waiters
        .values()
        .filter(({ user }) => this.#mayTake(user))
        .toArray()
      const next = eligible.find(({ user }) => !this.#taken.has(slotKey(user))) ?? eligible[0]
      if (next) return next
    }
    return undefined
  }

  #isFull({ project, address }: SlotUser): boolean {
    const { total, perProject } = this.#limits
    const waiting = this.#waiting.get(project)?.size ?? 0
    if ((this.#waitingByAddress.get(address) ?? 0) >= MAX_WAITING_PER_ADDRESS) return true
    return waiting >= perProject * MAX_WAITING_PER_SLOT || this.#waiting.size >= total * MAX_PROJECTS_PER_SLOT
  }

  #hasSlot(project: string): boolean {
    return (this.#taken.get(project) ?? 0) < this.#limits.perProject
  }

  #mayTake(user: SlotUser): boolean {
    const { total, perProject } = this.#limits.perAddress
    return (this.#taken.get(user.address) ?? 0) < total && (this.#taken.get(slotKey(user)) ?? 0) < perProject
  }

  #occupy(user: SlotUser): () => void {
    this.#count(user, 1)
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      this.#count(user, -1)
      this.#grant()
    }
  }

  #count(user: SlotUser, change: 1 | -1): void {
    this.#inUse += change
    for (const key of [user.project, user.address, slotKey(user)]) addTo(this.#taken, key, change)
  }
}

type Waiter = { user: SlotUser; resolve: (release: () => void) => void }

/** The key of an address in a project. Neither a project (`workspace/project`) nor an address has a space. */
function slotKey({ project, address }: SlotUser): string {
  return `${project} ${address}`
}

/** Waiting requests beyond these limits are refused at once: of a project for each of its slots, of an address, and of projects. */
const MAX_WAITING_PER_SLOT = 8
const MAX_WAITING_PER_ADDRESS = 16
const MAX_PROJECTS_PER_SLOT = 32
