import type { LimitsAddress } from '../../settings/limits-address.ts'
import type { Allowance, Limit } from './limit.ts'
import { openRedisLimit, type RedisLimit } from './limit-redis.ts'

export type LimitWithFallback = Limit & { close: () => void }

/** Does work, and notes how long it takes. */
type Timed = <Value>(work: () => Promise<Value>) => Promise<Value>

/** Whether the limit is shared from now on. The reason never contains the address, which may hold a password. */
export type SharingChange = { isShared: true } | { isShared: false; reason: string }

/**
 * Opens a limit that processes share through Valkey or Redis. If a server is down or too slow, this process falls back to
 * a limit of its own, and checks every second, and once a late answer has come, whether it can share again; of a cluster,
 * that goes for the workspaces that the server counts. No request waits for a server that is known to be down. Allowed
 * requests are counted there too, so that this process keeps to the rate if the server goes down. At the start it
 * waits up to a second for the first answer.
 */
export async function openLimitWithFallback(
  fallback: Limit<Allowance>,
  address: LimitsAddress,
  changed: (change: SharingChange) => void,
  timed: Timed = work => work(),
): Promise<LimitWithFallback> {
  const { rate } = fallback
  const redis = await openRedisLimit(rate, address)
  let isClosed = false
  const tell = (change: SharingChange) => {
    if (!isClosed) changed(change)
  }
  const { isAway, share, fallBack } = sharingOf(redis.parts, tell)
  const check = checksOf(redis, share, fallBack)
  await check.all(STEPS_AT_START)
  const checking = setInterval(() => void check.all(STEPS), CHECK_MS)
  return {
    rate,
    spend: (workspace, nowMs) => {
      const part = redis.partOf(workspace)
      if (isAway(part)) return fallback.spend(workspace, nowMs)
      const answer = timed(() => redis.spend(workspace, nowMs))
      return inTime(answer, STEPS).then(
        allowance => {
          if (allowance.isAllowed) fallback.spend(workspace, nowMs)
          return allowance
        },
        (error): Allowance => {
          fallBack(part, error)
          if (error instanceof LateError) answer.then(() => void check.one(part, STEPS), ignore)
          return fallback.spend(workspace, nowMs)
        },
      )
    },
    close: () => {
      isClosed = true
      clearInterval(checking)
      redis.close()
    },
  }
}

/** Which parts are away, all at first. Tells of a change when the first goes away, and when the last is back. */
function sharingOf(parts: number, changed: (change: SharingChange) => void) {
  const away = new Set(Array(parts).keys())
  let isShared: boolean | undefined
  const fallBack = (part: number, error: unknown) => {
    away.add(part)
    if (isShared !== false) changed({ isShared: false, reason: reasonOf(error) })
    isShared = false
  }
  const share = (part: number) => {
    away.delete(part)
    if (away.size > 0 || isShared) return
    changed({ isShared: true })
    isShared = true
  }
  return { isAway: (part: number) => away.has(part), share, fallBack }
}

/** Asks parts whether they can be shared, one question to each at a time. */
function checksOf(redis: RedisLimit, share: (part: number) => void, fallBack: (part: number, error: unknown) => void) {
  const asked = new Set<number>()
  const one = async (part: number, steps: number) => {
    if (asked.has(part)) return
    asked.add(part)
    await inTime(redis.probe(part), steps).then(
      () => share(part),
      error => fallBack(part, error),
    )
    asked.delete(part)
  }
  const all = (steps: number) => Promise.all([...Array(redis.parts).keys()].map(part => one(part, steps)))
  return { one, all }
}

const CHECK_MS = 1000
const STEP_MS = 25
const STEPS = 8
const STEPS_AT_START = 40

const ignore = () => undefined

class LateError extends Error {}

/**
 * Waits for an answer in steps, so that a process that was itself held up, by its own work or by a machine that is busy
 * elsewhere, has waited for one of them alone, and reads what has arrived meanwhile before the next.
 */
function inTime<Value>(answer: Promise<Value>, steps: number): Promise<Value> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout
    const wait = (left: number) => {
      timer = setTimeout(() => (left > 1 ? wait(left - 1) : giveUp()), STEP_MS)
    }
    const giveUp = () => reject(new LateError(`no answer within ${steps * STEP_MS} ms`))
    wait(steps)
    void answer.finally(() => clearTimeout(timer)).then(resolve, reject)
  })
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // If no address of a host name accepts a connection, the message is empty and the code is not.
  return error.message || ('code' in error ? String(error.code) : error.name)
}
