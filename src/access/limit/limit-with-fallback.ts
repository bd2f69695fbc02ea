import type { Allowance, Limit, Rate } from './limit.ts'
import { memoryLimit } from './limit-memory.ts'
import { openRedisLimit } from './limit-redis.ts'

export type LimitWithFallback = Limit & { close: () => void }

/** Does work, and notes how long it takes. */
type Timed = <Value>(work: () => Promise<Value>) => Promise<Value>

/** Whether the limit is shared from now on. The reason never contains the address, which may hold a password. */
export type SharingChange = { isShared: true } | { isShared: false; reason: string }

/**
 * Opens a limit that processes share through Valkey or Redis. If the server is down or too slow, this process falls
 * back to a limit in memory, and checks every second, and once a late answer has come, whether it can share again. No
 * request waits for a server that is known to be down. Allowed requests are counted in memory too, so that this process
 * keeps to the rate if the server goes down. At the start it waits up to a second for the first answer.
 */
export async function openLimitWithFallback(
  rate: Rate,
  address: string,
  changed: (change: SharingChange) => void,
  timed: Timed = work => work(),
): Promise<LimitWithFallback> {
  const fallback = memoryLimit(rate)
  const redis = await openRedisLimit(rate, address)
  let isShared: boolean | undefined
  const share = () => {
    if (!isShared) changed({ isShared: true })
    isShared = true
  }
  const fallBack = (error: unknown) => {
    if (isShared !== false) changed({ isShared: false, reason: reasonOf(error) })
    isShared = false
  }
  let isChecking = false
  const check = async (steps: number) => {
    if (isChecking) return
    isChecking = true
    await inTime(redis.probe(), steps).then(share, fallBack)
    isChecking = false
  }
  await check(STEPS_AT_START)
  const checking = setInterval(() => void check(STEPS), CHECK_MS)
  return {
    rate,
    spend: (workspace, nowMs) => {
      if (!isShared) return fallback.spend(workspace, nowMs)
      const answer = timed(() => redis.spend(workspace, nowMs))
      return inTime(answer, STEPS).then(
        allowance => {
          if (allowance.isAllowed) fallback.spend(workspace, nowMs)
          return allowance
        },
        (error): Allowance => {
          fallBack(error)
          if (error instanceof LateError) answer.then(() => void check(STEPS), ignore)
          return fallback.spend(workspace, nowMs)
        },
      )
    },
    close: () => {
      isShared = false
      clearInterval(checking)
      redis.close()
    },
  }
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
