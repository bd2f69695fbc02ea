import { fairQueue, INTERVAL_MS, TARGET_MS } from './fair-queue.ts'

/** A waiting request: a function that answers it, and one that refuses it. */
type Waiting = { answer: () => void; shed: () => void }

/** Decides when requests are answered, and which ones are shed. */
export type Admission = {
  /**
   * Call this when a connection or a request arrives, with the time. Returns whether a request may be answered at once.
   */
  arrives: (nowMs: number) => boolean
  /** Queues a request of a connection, to be answered or shed in turn. */
  enqueue: (connection: object, request: Waiting) => void
  /** The number of waiting requests. */
  waiting: () => number
  /** Whether requests were shed recently. */
  isOverloaded: () => boolean
}

/** The clock, the scheduler for the next event loop turn, and a function to call when a request is shed. */
type AdmissionSource = { now: () => number; nextTurn: (work: () => void) => void; shedding: () => void }

/**
 * Answers requests as they arrive while there is time, and queues the rest of an event loop turn. If queued requests
 * wait too long, for longer than a burst, the process is overloaded: it then sheds new requests that would wait too
 * long, until none was shed for a while. Shedding takes at most a seventh of the time. After reading requests, the
 * process spends four times as long on answers, so that answers continue under any load.
 */
export function openAdmission({ now, nextTurn, shedding }: AdmissionSource): Admission {
  let queue = fairQueue<Waiting & { sinceMs: number }>()
  let [turnBegan, credit, answerMs, overloadedUntil] = [Number.NaN, 0, 0, Number.NEGATIVE_INFINITY]
  const shed = (request: Waiting, nowMs: number) => {
    overloadedUntil = nowMs + INTERVAL_MS
    shedding()
    request.shed()
    credit -= now() - nowMs
  }
  const next = (beganMs: number) => {
    const taken = queue.take(beganMs)
    if (!taken) return
    const isShed = taken.isStanding && credit > 0
    if (isShed) return shed(taken.task, beganMs)
    taken.task.answer()
    const tookMs = now() - beganMs
    credit = Math.min(MAX_CREDIT_MS, credit + tookMs / SHEDDING_SHARE)
    answerMs += (tookMs - answerMs) / 16
  }
  const endTurn = () => {
    const began = now()
    const until = began + Math.min(MAX_MS, Math.max(MIN_MS, 4 * (began - turnBegan)))
    for (let nowMs = began; queue.size() > 0 && nowMs < until; nowMs = now()) next(nowMs)
    turnBegan = Number.NaN
    if (queue.size() > 0) beginTurn(now())
    else queue = fairQueue()
  }
  const beginTurn = (nowMs: number) => {
    turnBegan = nowMs
    nextTurn(endTurn)
  }
  const arrives = (nowMs: number) => {
    if (Number.isNaN(turnBegan)) beginTurn(nowMs)
    return queue.size() === 0 && nowMs - turnBegan < MIN_MS
  }
  const enqueue = (connection: object, request: Waiting) => {
    const nowMs = now()
    if (Number.isNaN(turnBegan)) beginTurn(nowMs)
    if (nowMs < overloadedUntil && credit > 0 && queue.size() * answerMs > TARGET_MS) return shed(request, nowMs)
    // The client may have sent it at any time since the turn began.
    queue.add(connection, { ...request, sinceMs: turnBegan })
  }
  return { arrives, enqueue, waiting: () => queue.size(), isOverloaded: () => now() < overloadedUntil }
}

/** The minimum time to answer requests before reading new ones, and the maximum if reading takes long. */
const MIN_MS = 5
const MAX_MS = 50
/** The time for answers, as a multiple of the time for shedding. */
const SHEDDING_SHARE = 6
/** The maximum time that may be saved for shedding later. */
const MAX_CREDIT_MS = 20
