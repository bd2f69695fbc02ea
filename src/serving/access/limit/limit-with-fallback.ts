import { errorMessage } from '#platform/base/error.ts'
import { reasonOf } from '#platform/base/reason.ts'
import type { LimitsAddress } from '#platform/settings/shared-addresses.ts'
import type { Allowance, Limit } from './limit-memory.ts'
import { limitAdvice, openRedisLimit } from './limit-redis.ts'

export type LimitWithFallback = Limit & { close: () => void }

/** Runs work and records its duration. */
type Timed = <Value>(work: () => Promise<Value>) => Promise<Value>

/** Whether the limit is shared from now on. The reason never contains the address, which may contain a password. */
export type SharingChange = { isShared: true } | { isShared: false; reason: string; advice?: string }

/**
 * Opens a limit that processes share through Valkey or Redis. If a server is down or too slow, this process uses its
 * own limit, and checks every second, and after a late reply, whether it can share again. No request waits for a server
 * that is known to be down. Allowed requests also count locally, so that this process keeps to the rate if the server
 * goes down. At startup, it waits up to a second for the first reply.
 */
export async function openLimitWithFallback(
  fallback: Limit<Allowance>,
  address: LimitsAddress,
  changed: (change: SharingChange) => void,
  timed: Timed = work => work(),
): Promise<LimitWithFallback> {
  const { rate } = fallback
  const redis = await openRedisLimit(rate, address)
  const sharing = await openSharing(redis.probe, changed)
  return {
    rate,
    spend: (workspace, nowMs, requests = 1) => {
      if (!sharing.isShared()) return fallback.spend(workspace, nowMs, requests)
      const answer = timed(() => redis.spend(workspace, nowMs, requests))
      return inTime(answer, STEPS).then(
        allowance => {
          if (allowance.isAllowed) fallback.spend(workspace, nowMs, requests)
          return allowance
        },
        (error): Allowance => {
          sharing.fallBack(error)
          if (error instanceof LateError) answer.then(sharing.check, ignore)
          return fallback.spend(workspace, nowMs, requests)
        },
      )
    },
    close: () => {
      sharing.close()
      redis.close()
    },
  }
}

/** Checks at once, and then each second, whether the shared limit answers, and reports each change. */
async function openSharing(probe: () => Promise<unknown>, changed: (change: SharingChange) => void) {
  let isClosed = false
  /** Undefined until the first check has ended. */
  let isShared: boolean | undefined
  let isChecking = false
  const report = (change: SharingChange) => {
    if (!isClosed && change.isShared !== isShared) changed(change)
    isShared = change.isShared
  }
  const fallBack = (error: unknown) => {
    const advice = limitAdvice(error)
    report({ isShared: false, reason: reasonOf(errorMessage(error)), ...(advice !== undefined && { advice }) })
  }
  const checkWithin = async (steps: number) => {
    if (isChecking) return
    isChecking = true
    await inTime(probe(), steps).then(() => report({ isShared: true }), fallBack)
    isChecking = false
  }
  const check = () => void checkWithin(STEPS)
  await checkWithin(STEPS_AT_START)
  const checking = setInterval(check, CHECK_MS)
  return {
    isShared: () => isShared,
    fallBack,
    check,
    close: () => {
      isClosed = true
      clearInterval(checking)
    },
  }
}

const CHECK_MS = 1000
/** A wait consists of steps of 25 ms: 200 ms for a request or a check, a second at startup. */
const STEP_MS = 25
const STEPS = 8
const STEPS_AT_START = 40

const ignore = () => undefined

class LateError extends Error {}

/**
 * Waits for a promise; rejects with a `LateError` after this many steps. It waits in steps, so that a delayed process
 * loses only one step, and reads the arrived input before the next.
 */
function inTime<Value>(answer: Promise<Value>, steps: number): Promise<Value> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout
    const wait = (stepsLeft: number) => {
      timer = setTimeout(() => (stepsLeft > 1 ? wait(stepsLeft - 1) : giveUp()), STEP_MS)
    }
    const giveUp = () => reject(new LateError(`no answer within ${steps * STEP_MS} ms`))
    wait(steps)
    void answer.finally(() => clearTimeout(timer)).then(resolve, reject)
  })
}
