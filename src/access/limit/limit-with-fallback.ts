import type { Allowance, Limit, Rate } from './limit.ts'
import { memoryLimit } from './limit-memory.ts'
import { openRedisLimit } from './limit-redis.ts'

/** A limit that is shared while it can be. */
export type LimitWithFallback = Limit & { close: () => void }

/** Told when the limit begins or ceases to be shared; the reason is why it is not, and never holds the address. */
export type SharingChange = { isShared: true } | { isShared: false; reason: string }

/**
 * A limit that processes share through Valkey or Redis. Where the server cannot be reached, or is too slow, this process
 * goes on with the same limit of its own in memory, and looks every second whether it can share again. A request waits
 * for the server at most once, and none while it is known to be away. What was allowed is noted in memory too, so that
 * the process allows no more than the rate when the server goes away.
 */
export async function openLimitWithFallback(
  rate: Rate,
  address: string,
  changed: (change: SharingChange) => void,
): Promise<LimitWithFallback> {
  const own = memoryLimit(rate)
  const engine = await openRedisLimit(rate, address)
  let isShared: boolean | undefined
  const share = () => {
    if (!isShared) changed({ isShared: true })
    isShared = true
  }
  const keepOwn = (error: unknown) => {
    if (isShared !== false) changed({ isShared: false, reason: reasonOf(error) })
    isShared = false
  }
  const look = () => inTime(engine.probe()).then(share, keepOwn)
  await look()
  const looking = setInterval(look, LOOK_MS)
  return {
    rate,
    spend: (workspace, nowMs) => {
      if (!isShared) return own.spend(workspace, nowMs)
      return inTime(engine.spend(workspace, nowMs)).then(
        allowance => {
          if (allowance.isAllowed) own.spend(workspace, nowMs)
          return allowance
        },
        (error): Allowance => {
          keepOwn(error)
          return own.spend(workspace, nowMs)
        },
      )
    },
    close: () => {
      isShared = false
      clearInterval(looking)
      engine.close()
    },
  }
}

const LOOK_MS = 1000
const PATIENCE_MS = 50

/** Waits in two halves: where this process itself stood still, the answer that has come meanwhile is still read. */
function inTime<Value>(answer: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const half = (next: () => void) => setTimeout(next, PATIENCE_MS / 2)
    const giveUp = () => reject(new Error(`no answer within ${PATIENCE_MS} ms`))
    let timer = half(() => {
      timer = half(giveUp)
    })
    void answer.finally(() => clearTimeout(timer)).then(resolve, reject)
  })
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // Where every address of a host name was tried, the message is empty and the code is not.
  return error.message || ('code' in error ? String(error.code) : error.name)
}
