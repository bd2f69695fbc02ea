import { type Log, onceAMinute } from '#platform/telemetry/log.ts'

/** A request in the queue: either function is called once, `shed` to refuse it. */
type Waiting = { answer: () => void; shed: () => void }

export type Admission = {
  /** Call this when a request arrives, with the time. Returns whether it may be answered at once. */
  arrives: (nowMs: number) => boolean
  enqueue: (request: Waiting) => void
  /** Counts a request as under way until its reply is made. */
  whileMaking: <T>(reply: Promise<T>) => Promise<T>
}

/** A clock, and a function that runs work after a delay; without one, in the next turn of the event loop. */
type Turns = { now: () => number; schedule: (work: () => void, delayMs: number) => void }

const EVENT_LOOP: Turns = {
  now: () => performance.now(),
  schedule: (work, delayMs) => void (delayMs === 0 ? setImmediate(work) : setTimeout(work, delayMs)),
}

/**
 * Answers requests at once while there is time, and queues the rest of an event loop turn, or those beyond
 * `MAX_UNDER_WAY`. The queue is answered in the order of arrival; a request that has waited `MAX_WAIT_MS` is shed
 * (decisions/0630). A connection adds to the queue only a fixed number of requests, so that its length is bounded.
 */
export function openAdmission({ log, shed }: { log: Log; shed: () => void }, turns = EVENT_LOOP): Admission {
  const { now, schedule } = turns
  const warn = onceAMinute(() => log.warn({}, OVERLOADED))
  let underWay = 0
  const isFull = () => underWay >= MAX_UNDER_WAY
  const queue = openQueue(isFull, () => {
    shed()
    warn()
  })
  /** When the current turn began; undefined until a request arrives in it. */
  let turnBegan: number | undefined
  /** Schedules the end of a turn, and returns its beginning. */
  const beginTurn = (nowMs: number, delayMs = 0): number => {
    schedule(endTurn, delayMs)
    return nowMs
  }
  const endTurn = () => {
    const endsMs = now() + ANSWERING_MS
    for (let nowMs = now(); nowMs < endsMs; nowMs = now()) if (!queue.takeNext(nowMs)) break
    turnBegan = queue.isEmpty() ? undefined : beginTurn(now(), isFull() ? RETRY_MS : 0)
  }
  return {
    arrives: nowMs => {
      turnBegan ??= beginTurn(nowMs)
      return queue.isEmpty() && nowMs - turnBegan < AT_ONCE_MS && !isFull()
    },
    enqueue: request => {
      const nowMs = now()
      turnBegan ??= beginTurn(nowMs)
      queue.add(request, nowMs)
    },
    whileMaking: reply => {
      underWay++
      return reply.finally(() => void underWay--)
    },
  }
}

/** Opens a queue in the order of arrival. Calls `reportShed` for each request that has waited too long. */
function openQueue(isFull: () => boolean, reportShed: () => void) {
  const requests: (Waiting & { sinceMs: number })[] = []
  return {
    isEmpty: () => requests.length === 0,
    add: (request: Waiting, sinceMs: number) => void requests.push({ ...request, sinceMs }),
    /** Answers or sheds the first request. Returns false if there is none, or if it must wait. */
    takeNext: (nowMs: number): boolean => {
      const [first] = requests
      if (!first) return false
      const isLate = nowMs - first.sinceMs > MAX_WAIT_MS
      if (!isLate && isFull()) return false
      requests.shift()
      if (!isLate) first.answer()
      else {
        reportShed()
        first.shed()
      }
      return true
    },
  }
}

const OVERLOADED =
  'this process is overloaded, and some requests get 503: run another process, or find the clients that send so many requests'
/** The maximum number of requests whose replies are being made. */
const MAX_UNDER_WAY = 1000
/** The maximum time that a request may wait. */
const MAX_WAIT_MS = 1000
/** The time for answers in an event loop turn: first at once, as requests are read, then from the queue. */
const AT_ONCE_MS = 5
const ANSWERING_MS = 20
/** The time until the next look at the queue while too many requests are under way. */
const RETRY_MS = 10
