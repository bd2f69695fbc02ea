import type { OutageReporter } from '#platform/telemetry/outage-log.ts'

/** Messages in the store, and how one is sent. */
export type OutboxParts = {
  /** The time of day, in milliseconds. */
  clock: () => number
  reporter: () => OutageReporter
  /** The ids of what has a due message, in order. */
  listDue: (now: number) => Promise<{ id: string; isFailing: boolean }[]>
  nextDueAt: (now: number) => Promise<number | undefined>
  /** Leases and sends the first due message. Throws only if the store fails. */
  send: (id: string) => Promise<void>
  /** The limit on attempts under way; half of them may be to receivers that failed lately. */
  maxRunning: number
}

/**
 * Sends waiting messages until it is stopped. Each attempt leases its message, so that several processes send it once;
 * after a crash, the next attempt follows when the lease has ended.
 */
export class Outbox {
  readonly #parts: OutboxParts
  readonly #lookReporter: OutageReporter
  readonly #sendReporter: OutageReporter
  /** The attempts under way, by the id of what sends one message at a time. */
  readonly #running = new Map<string, Promise<void>>()
  /** The number of attempts under way that failed lately. */
  #failing = 0
  /** Wakes this when the next message is due. */
  #timer: NodeJS.Timeout | undefined
  /** The look under way, if any; there is only one at a time. */
  #looking: Promise<void> | undefined
  /** Whether to look again, because something changed since the look under way began. */
  #isDue = true
  #isStopping = false

  constructor(parts: OutboxParts) {
    this.#parts = parts
    this.#lookReporter = parts.reporter()
    this.#sendReporter = parts.reporter()
    this.wake()
  }

  /** Looks for due messages now, for example after a change. */
  wake(): void {
    this.#isDue = true
    this.#looking ??= this.#look()
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    clearTimeout(this.#timer)
    await this.#looking
    await Promise.all(this.#running.values())
  }

  /** Begins the attempts that are due, and sets the timer for the next ones. Repeats this if it was woken meanwhile. */
  async #look(): Promise<void> {
    const { clock, listDue, nextDueAt } = this.#parts
    while (this.#isDue && !this.#isStopping) {
      this.#isDue = false
      clearTimeout(this.#timer)
      try {
        const now = clock()
        for (const due of await listDue(now)) this.#begin(due)
        const next = await nextDueAt(now)
        this.#lookReporter.worked()
        this.#wakeAfter(Math.min((next ?? Number.POSITIVE_INFINITY) - clock(), MAX_PAUSE_MS))
      } catch (error) {
        this.#lookReporter.failed(error)
        this.#wakeAfter(RETRY_MS)
      }
    }
    this.#looking = undefined
  }

  #wakeAfter(milliseconds: number): void {
    if (this.#isStopping) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.wake(), Math.max(MIN_PAUSE_MS, milliseconds)).unref()
  }

  /** Begins an attempt if there is a free slot. Failing receivers leave some slots to working ones. */
  #begin({ id, isFailing }: { id: string; isFailing: boolean }): void {
    const { maxRunning, send } = this.#parts
    const isFull = this.#running.size >= maxRunning || (isFailing && this.#failing >= maxRunning / 2)
    if (isFull || this.#running.has(id) || this.#isStopping) return
    if (isFailing) this.#failing++
    const end = () => {
      if (isFailing) this.#failing--
      this.#running.delete(id)
    }
    const work = send(id).then(
      () => {
        end()
        this.#sendReporter.worked()
        if (!this.#isStopping) this.wake()
      },
      error => {
        end()
        this.#sendReporter.failed(error)
        this.#wakeAfter(RETRY_MS)
      },
    )
    this.#running.set(id, work)
  }
}

/** The longest pause, because commands of other processes may add or repeat messages unnoticed. */
const MAX_PAUSE_MS = 30_000
/** The pause after a failure of the store. */
const RETRY_MS = 1000
/** The shortest pause: timers may end slightly early, and a message that is not due yet would be looked for at once. */
const MIN_PAUSE_MS = 10
