import { createHash } from 'node:crypto'
import type { LimitsAddress } from '../../settings/shared-addresses.ts'
import type { Allowance, Limit, Rate } from './limit.ts'
import { openRedisClient, type Script } from './redis-client.ts'

/** A limit that is counted on Valkey or Redis servers. Without a connection, its promises reject at once. */
export type RedisLimit = Limit<Promise<Allowance>> & {
  /** Whether the servers are a cluster, so that one workspace may fail while another works. */
  isCluster: boolean
  /** Does the same as `spend` on the node of a workspace, with a separate key that expires after a millisecond. */
  probe: (workspace: string) => Promise<unknown>
  close: () => void
}

/**
 * Opens a limit that all processes share through Valkey or Redis, by the clock of the counting server. Waits up to two
 * seconds for the connection, and reconnects when it is lost. Requests of a workspace in the same event loop turn
 * become one command.
 */
export async function openRedisLimit(rate: Rate, address: LimitsAddress): Promise<RedisLimit> {
  const client = await openRedisClient(address)
  const isCluster = address.kind === 'cluster'
  const spendAll = async (key: string, max: number, windowMs: number, requests: number, isWhole = false) =>
    parseReply(await client.evaluate(SCRIPT, key, [max, windowMs * 1000, requests, isWhole ? 1 : 0]))
  const spendAt = (workspace: string, requests: number, isWhole: boolean) => {
    const key = `${PREFIX}${rate.seconds}:${isCluster ? `{${workspace}}` : workspace}`
    return spendAll(key, rate.requests, rate.seconds * 1000, requests, isWhole)
  }
  const spendOne = batchPerTurn(async (workspace, requests) => {
    const { allowed, remaining, resetSeconds } = await spendAt(workspace, requests, false)
    return Array.from({ length: requests }, (_, index) => ({
      isAllowed: index < allowed,
      remaining: remaining + Math.max(0, allowed - 1 - index),
      resetSeconds,
    }))
  })
  const spendWhole = async (workspace: string, requests: number): Promise<Allowance> => {
    const { allowed, ...rest } = await spendAt(workspace, requests, true)
    return { isAllowed: allowed > 0, ...rest }
  }
  return {
    rate,
    isCluster,
    spend: (workspace, _nowMs, requests = 1) =>
      requests === 1 ? spendOne(workspace) : spendWhole(workspace, requests),
    probe: workspace => spendAll(`${PREFIX}probe${isCluster ? `:{${workspace}}` : ''}`, 1, 1, 1),
    close: client.close,
  }
}

/**
 * The prefix of all keys. The length of the window follows, so that windows of different lengths do not mix. In a
 * cluster, the workspace is the hash tag, so that its counter and its probe are on one node (Redis Cluster
 * specification, "Hash tags").
 */
const PREFIX = 'housestyle:limit:'

/** Combines all requests for one name in an event loop turn, and returns each result in order. */
function batchPerTurn(ask: (name: string, requests: number) => Promise<readonly Allowance[]>) {
  const waiting = new Map<string, PromiseWithResolvers<Allowance>[]>()
  const send = (name: string) => {
    const batch = waiting.get(name) ?? []
    waiting.delete(name)
    ask(name, batch.length).then(
      answers => {
        for (const [index, answer] of answers.entries()) batch[index]?.resolve(answer)
      },
      error => {
        for (const { reject } of batch) reject(error)
      },
    )
  }
  return (name: string): Promise<Allowance> => {
    const one = Promise.withResolvers<Allowance>()
    const batch = waiting.get(name)
    if (batch) batch.push(one)
    else {
      waiting.set(name, [one])
      setImmediate(send, name)
    }
    return one.promise
  }
}

/**
 * Counts requests in one atomic step. Takes the maximum, the window in microseconds, the number of requests, and 1 if
 * they are allowed or refused as a whole; returns how many of them are allowed, how many remain, and the microseconds
 * until the next one, or the refused whole, is free. The list holds the
 * times of the allowed requests in the window, oldest first. As in memory, setting the clock back (for example when a
 * replica takes over) never shortens a window, unless it goes back by more than a window. The list may exceed the
 * maximum if the rate was lowered or processes use different rates.
 */
const SCRIPT_TEXT = `
local key, max, window, asked = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local isWhole = ARGV[4] == '1'
local time = redis.call('TIME')
local clock = time[1] * 1000000 + time[2]
local newest = tonumber(redis.call('LINDEX', key, -1) or clock)
if newest > clock + window then
  redis.call('DEL', key)
  newest = clock
end
local now = math.max(clock, newest)
local oldest = redis.call('LINDEX', key, 0)
while oldest and tonumber(oldest) <= now - window do
  redis.call('LPOP', key)
  oldest = redis.call('LINDEX', key, 0)
end
local count = redis.call('LLEN', key)
local allowed = math.max(0, math.min(asked, max - count))
local blocked = 0
if isWhole and allowed < asked then
  allowed = 0
  blocked = asked - 1
end
for _ = 1, allowed do
  redis.call('RPUSH', key, string.format('%.0f', now))
end
if allowed > 0 then
  redis.call('PEXPIRE', key, math.ceil((now - clock + window) / 1000) + 1)
end
count = count + allowed
local next = redis.call('LINDEX', key, math.max(0, math.min(count - 1, count - max + blocked))) or now
return { allowed, math.max(0, max - count), next + window - clock }
`
const SCRIPT: Script = { text: SCRIPT_TEXT, digest: createHash('sha1').update(SCRIPT_TEXT).digest('hex') }

function parseReply(reply: unknown) {
  const [allowed, remaining, resetMicroseconds] = Array.isArray(reply) ? reply : []
  if (!Number.isInteger(allowed) || !Number.isInteger(remaining) || !Number.isInteger(resetMicroseconds))
    throw new Error('the reply of the server for shared limits is invalid')
  return { allowed, remaining, resetSeconds: Math.ceil(resetMicroseconds / 1_000_000) }
}
