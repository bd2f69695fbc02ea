import { createHash } from 'node:crypto'
import type { LimitsAddress } from '../../settings/shared-addresses.ts'
import { evictionProblem } from './limit-advice.ts'
import type { Allowance, Limit, Rate } from './limit-memory.ts'
import { openRedisClient, type Script } from './redis-client.ts'

/** A limit that is counted on Valkey or Redis servers. Without a connection, its promises reject at once. */
export type RedisLimit = Limit<Promise<Allowance>> & {
  /** Does the same as `spend`, with a separate key that expires after a millisecond. Rejects for a cluster. */
  probe: () => Promise<unknown>
  /** The problem of a server that evicts keys; undefined if it does not. */
  eviction: () => Promise<ReturnType<typeof evictionProblem>>
  close: () => void
}

/**
 * Opens a limit that all processes share through Valkey or Redis, by the clock of the counting server. Waits up to two
 * seconds for the connection, and reconnects when it is lost.
 */
export async function openRedisLimit(rate: Rate, address: LimitsAddress): Promise<RedisLimit> {
  const client = await openRedisClient(address)
  let hasAllKeys = false
  const spendAt = async (key: string, max: number, windowMs: number, requests: number) =>
    parseReply(await client.evaluate(SCRIPT, PREFIX + key, [max, windowMs * 1000, requests]))
  return {
    rate,
    spend: (workspace, _nowMs, requests = 1) =>
      spendAt(`${rate.seconds}:${workspace}`, rate.requests, rate.seconds * 1000, requests),
    probe: async () => {
      const reply = await spendAt('probe', 1, 1, 1)
      if (!hasAllKeys) await client.assertAllKeys(`${PREFIX}probe:`)
      hasAllKeys = true
      return reply
    },
    eviction: async () => evictionProblem(await client.memoryInfo()),
    close: client.close,
  }
}

/** The prefix of all keys. The length of the window follows, so that windows of different lengths do not mix. */
const PREFIX = 'housestyle:limit:'

/**
 * Counts requests in one atomic step. Takes the maximum, the window in microseconds, and the number of requests, which
 * are allowed or refused as a whole; returns 1 or 0, how many requests remain, and the microseconds until the next one,
 * or the refused ones, are free. The list holds the times of the allowed requests in the window, oldest first. As in
 * memory, setting the clock back (for example when a replica takes over) never shortens a window, unless it goes back by
 * more than a window. The list may exceed the maximum if the rate was lowered or processes use different rates.
 */
const SCRIPT_TEXT = `
local key, max, window, asked = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
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
local isAllowed = count + asked <= max
local blocking = 0
if isAllowed then
  for _ = 1, asked do
    redis.call('RPUSH', key, string.format('%.0f', now))
  end
  redis.call('PEXPIRE', key, math.ceil((now - clock + window) / 1000) + 1)
  count = count + asked
else
  blocking = math.max(0, math.min(count - 1, count - max + asked - 1))
end
local next = redis.call('LINDEX', key, blocking) or now
return { isAllowed and 1 or 0, math.max(0, max - count), next + window - clock }
`
const SCRIPT: Script = { text: SCRIPT_TEXT, digest: createHash('sha1').update(SCRIPT_TEXT).digest('hex') }

function parseReply(reply: unknown): Allowance {
  const [allowed, remaining, resetMicroseconds] = Array.isArray(reply) ? reply : []
  if (!Number.isInteger(allowed) || !Number.isInteger(remaining) || !Number.isInteger(resetMicroseconds))
    throw new Error('the reply of the server for shared limits is invalid')
  return { isAllowed: allowed === 1, remaining, resetSeconds: Math.ceil(resetMicroseconds / 1_000_000) }
}
