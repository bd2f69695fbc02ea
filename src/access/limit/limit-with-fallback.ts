import type { LimitsAddress } from '../../settings/shared-addresses.ts'
import type { Allowance, Limit } from './limit.ts'
import { openRedisLimit, type RedisLimit } from './limit-redis.ts'

export type LimitWithFallback = Limit & { close: () => void }

/** Runs work and records its duration. */
type Timed = <Value>(work: () => Promise<Value>) => Promise<Value>

/** Whether the limit is shared from now on. The reason never contains the address, which may contain a password. */
export type SharingChange = { isShared: true } | { isShared: false; reason: string }

/**
 * Opens a limit that processes share through Valkey or Redis. If a server is down or too slow, this process uses its
 * own limit, and checks every second, and after a late reply, whether it can share again. In a cluster, each workspace
 * falls back separately. No request waits for a server that is known to be down. Allowed requests also count locally,
 * so that this process keeps to the rate if the server goes down. At startup, it waits up to a second for the first
 * reply.
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
  const report = (change: SharingChange) => {
    if (!isClosed) changed(change)
  }
  const { unavailable, fallBack, check, checkAll } = sharingOf(redis, report)
  await checkAll(STEPS_AT_START)
  const checking = setInterval(() => void checkAll(STEPS), CHECK_MS)
  return {
    rate,
    spend: (workspace, nowMs, requests = 1) => {
      const counter = redis.isCluster ? workspace : GENERAL
      if (unavailable.has(counter)) return fallback.spend(workspace, nowMs, requests)
      const answer = timed(() => redis.spend(workspace, nowMs, requests))
      return inTime(answer, STEPS).then(
        allowance => {
          if (allowance.isAllowed) fallback.spend(workspace, nowMs, requests)
          return allowance
        },
        (error): Allowance => {
          fallBack(counter, error)
          if (error instanceof LateError) answer.then(() => void check(counter, STEPS), ignore)
          return fallback.spend(workspace, nowMs, requests)
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

/** The counter for a server, and for the connection to a cluster. */
const GENERAL = ''

/**
 * Tracks unreachable counters: at first the general one, later also those of cluster workspaces. Reports when the first
 * one becomes unavailable, and when the last one is back. Never probes a counter twice at the same time.
 */
function sharingOf(redis: RedisLimit, changed: (change: SharingChange) => void) {
  const unavailable = new Set([GENERAL])
  const probed = new Set<string>()
  let isShared: boolean | undefined
  const fallBack = (counter: string, error: unknown) => {
    if (unavailable.size < MAX_UNAVAILABLE) unavailable.add(counter)
    if (isShared !== false) changed({ isShared: false, reason: reasonOf(error) })
    isShared = false
  }
  const share = (counter: string) => {
    unavailable.delete(counter)
    if (unavailable.size > 0 || isShared) return
    changed({ isShared: true })
    isShared = true
  }
  const check = async (counter: string, steps: number) => {
    if (probed.has(counter)) return
    probed.add(counter)
    await inTime(redis.probe(counter), steps).then(
      () => share(counter),
      error => fallBack(counter, error),
    )
    probed.delete(counter)
  }
  const checkAll = (steps: number) =>
    Promise.all([...new Set([GENERAL, ...unavailable])].map(counter => check(counter, steps)))
  return { unavailable, fallBack, check, checkAll }
}

const CHECK_MS = 1000
/**
 * Readers are counted by address, so the number of counters is unlimited. Beyond this number, requests try the cluster.
 */
const MAX_UNAVAILABLE = 1000
const STEP_MS = 25
const STEPS = 8
const STEPS_AT_START = 40

const ignore = () => undefined

class LateError extends Error {}

/**
 * Waits for an answer in steps. A process that was delayed, by its own work or by a busy machine, thus loses only one
 * step, and reads the input that has arrived before the next.
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
  // If no address of a host accepts a connection, only the code is set.
  return error.message || ('code' in error ? String(error.code) : error.name)
}
