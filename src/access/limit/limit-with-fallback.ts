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
 * back to a limit in memory, and checks every second whether it can share again. No request waits for a server that is
 * known to be down. Allowed requests are counted in memory too, so that this process keeps to the rate if the server
 * goes down.
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
  const check = () => inTime(redis.probe()).then(share, fallBack)
  await check()
  const checking = setInterval(check, CHECK_MS)
  return {
    rate,
    spend: (workspace, nowMs) => {
      if (!isShared) return fallback.spend(workspace, nowMs)
      return inTime(timed(() => redis.spend(workspace, nowMs))).then(
        allowance => {
          if (allowance.isAllowed) fallback.spend(workspace, nowMs)
          return allowance
        },
        (error): Allowance => {
          fallBack(error)
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
const MAX_WAIT_MS = 50

/** Waits in two halves, so that a process that was itself blocked still reads an answer that has arrived meanwhile. */
function inTime<Value>(answer: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const half = (next: () => void) => setTimeout(next, MAX_WAIT_MS / 2)
    const giveUp = () => reject(new Error(`no answer within ${MAX_WAIT_MS} ms`))
    let timer = half(() => {
      timer = half(giveUp)
    })
    void answer.finally(() => clearTimeout(timer)).then(resolve, reject)
  })
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // If no address of a host name accepts a connection, the message is empty and the code is not.
  return error.message || ('code' in error ? String(error.code) : error.name)
}
