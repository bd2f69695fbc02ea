import { fairQueue, INTERVAL_MS, TARGET_MS } from './fair-queue.ts'

/** A request that waits for its turn: what answers it, and what refuses it instead. */
type Waiting = { answer: () => void; shed: () => void }

/** Decides when requests are answered, and which are shed. */
export type Admission = {
  /** Call this when a connection or a request comes, with the time. Whether a request may be answered at once. */
  arrives: (nowMs: number) => boolean
  /** Has a request of a connection answered or shed in its turn. */
  enqueue: (connection: object, request: Waiting) => void
  /** How many requests wait for their turn. */
  waiting: () => number
  /** Whether requests were shed a moment ago. */
  isOverloaded: () => boolean
}

/** Where time comes from, the start of the next turn of the event loop, and what is called when a request is shed. */
type AdmissionSource = { now: () => number; nextTurn: (work: () => void) => void; shedding: () => void }

/**
 * Answers requests as they come for as long as there is time, and queues the rest of a turn of the event loop. If those
 * in the queue wait too long, and for longer than a burst, too much is asked: from then on requests that would
 * wait too long are shed as they come, until none was for a while. Shedding takes at most a seventh of the time, and after
 * requests were read, four times as long is spent on answers, so that they go on however much is asked.
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
    const until = began + Math.min(MOST_MS, Math.max(LEAST_MS, 4 * (began - turnBegan)))
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
    return queue.size() === 0 && nowMs - turnBegan < LEAST_MS
  }
  const enqueue = (connection: object, request: Waiting) => {
    const nowMs = now()
    if (Number.isNaN(turnBegan)) beginTurn(nowMs)
    if (nowMs < overloadedUntil && credit > 0 && queue.size() * answerMs > TARGET_MS) return shed(request, nowMs)
    // It may have been sent at any time since the turn began.
    queue.add(connection, { ...request, sinceMs: turnBegan })
  }
  return { arrives, enqueue, waiting: () => queue.size(), isOverloaded: () => now() < overloadedUntil }
}

/** How long requests are answered before new ones are read: at least, and at most if reading takes long. */
const LEAST_MS = 5
const MOST_MS = 50
/** How much more time goes to answers than to shedding. */
const SHEDDING_SHARE = 6
/** Time that may be spent on shedding later, at most. */
const MAX_CREDIT_MS = 20
