import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis, ReplyError } from 'ioredis'
import type { Allowance, Limit, Rate } from './limit.ts'

/** A limit that a server counts. Without a connection, its promises are rejected at once. */
export type RedisLimit = Limit<Promise<Allowance>> & {
  /**
   * Does the same as `spend`, on a separate key that expires after a millisecond. It is for asking again and again: if
   * nothing was heard from the server since it was asked twice, the connection is replaced.
   */
  probe: () => Promise<unknown>
  close: () => void
}

/**
 * Opens a limit that all processes share through Valkey or Redis at a `redis://` or `rediss://` address, by the clock
 * of that server. Waits up to two seconds for the connection, and connects again whenever it is lost. Requests in one turn
 * of the event loop share a round trip.
 */
export async function openRedisLimit(rate: Rate, address: string): Promise<RedisLimit> {
  const redis = new Redis({ ...serverAt(new URL(address)), ...OPTIONS })
  let connectionError: Error | undefined
  redis.on('error', error => {
    connectionError = error
  })
  redis.on('close', () => {
    connectionError ??= new Error('the connection was closed')
  })
  redis.on('ready', () => {
    connectionError = undefined
  })
  let silentProbes = 0
  const heard = () => {
    silentProbes = 0
  }
  redis.on('connect', heard)
  const replaceIfSilent = () => {
    if (silentProbes++ < 2 || !/^(connect|ready)$/.test(redis.status)) return
    connectionError = new Error('the server is silent')
    redis.disconnect(true)
  }
  const spend = async (name: string, max: number, windowMs: number): Promise<Allowance> => {
    const values = [1, `${PREFIX}${name}`, max, windowMs * 1000] as const
    try {
      const answer = await redis.evalsha(DIGEST, ...values).catch(error => {
        if (!String(error).includes('NOSCRIPT')) throw error
        return redis.eval(SCRIPT, ...values)
      })
      heard()
      return allowanceOf(answer)
    } catch (error) {
      if (error instanceof ReplyError) heard()
      throw connectionError ?? error
    }
  }
  await connect(redis)
  return {
    rate,
    spend: workspace => spend(`${rate.seconds}:${workspace}`, rate.requests, rate.seconds * 1000),
    probe: () => {
      replaceIfSilent()
      return spend('probe', 1, 1)
    },
    close: () => redis.disconnect(),
  }
}

/** The length of the window follows it in a key, so that windows of two lengths do not mix. */
const PREFIX = 'housestyle:limit:'
const CONNECT_MS = 2000

/** A command is sent at once or fails at once. */
const OPTIONS = {
  lazyConnect: true,
  enableAutoPipelining: true,
  enableOfflineQueue: false,
  enableReadyCheck: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  connectTimeout: CONNECT_MS,
  disconnectTimeout: 200,
  retryStrategy: () => 500,
} as const

function serverAt({ protocol, hostname, port, username, password, pathname }: URL) {
  const host = hostname.replace(/^\[|\]$/g, '')
  return {
    host,
    port: Number(port || 6379),
    username: decodeURIComponent(username),
    password: decodeURIComponent(password),
    db: Number(pathname.slice(1)),
    ...(protocol === 'rediss:' && { tls: isIP(host) ? {} : { servername: host } }),
  }
}

async function connect(redis: Redis): Promise<void> {
  const waiting = new AbortController()
  const connected = redis.connect().catch(() => undefined)
  await Promise.race([connected, sleep(CONNECT_MS, undefined, waiting).catch(() => undefined)])
  waiting.abort()
}

/**
 * One decision. Takes the maximum and the window in microseconds; gives whether the request is allowed, how many are
 * left, and the microseconds until one more is free. The list holds the times of the allowed requests of the window,
 * oldest first. As in memory, a clock that is set back (because a replica takes over, say) never makes a window
 * shorter, unless it goes back by more than a window. The list may hold more than the maximum if the rate was lowered,
 * or if processes run with different rates.
 */
const SCRIPT = `
local key, max, window = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
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
local allowed = count < max
if allowed then
  count = redis.call('RPUSH', key, string.format('%.0f', now))
  redis.call('PEXPIRE', key, math.ceil((now - clock + window) / 1000) + 1)
end
local next = redis.call('LINDEX', key, math.max(0, count - max))
return { allowed and 1 or 0, math.max(0, max - count), next + window - clock }
`
const DIGEST = createHash('sha1').update(SCRIPT).digest('hex')

function allowanceOf(reply: unknown): Allowance {
  const [allowed, remaining, resetMicroseconds] = Array.isArray(reply) ? reply : []
  if (!Number.isInteger(remaining) || !Number.isInteger(resetMicroseconds))
    throw new Error('the server answered something else than an allowance')
  return { isAllowed: allowed === 1, remaining, resetSeconds: Math.ceil(resetMicroseconds / 1_000_000) }
}
