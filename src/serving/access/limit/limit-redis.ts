import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import { Redis, ReplyError } from 'ioredis'
import { withTimeout } from '#platform/base/promise.ts'
import { groupsOf } from '#platform/base/text.ts'
import type { LimitsAddress } from '#platform/settings/shared-addresses.ts'
import type { Allowance, Limit, Rate } from './limit-memory.ts'

/** A limit that several processes share. Without a connection, its promises reject at once. */
export type RedisLimit = Limit<Promise<Allowance>> & {
  /** Does the same as `spend`, with a separate key that expires after a millisecond. Rejects for a cluster. */
  probe: () => Promise<unknown>
  eviction: () => Promise<ReturnType<typeof evictionProblem>>
  close: () => void
}

/** Opens a limit that all processes share through Valkey or Redis, by the clock of the counting server. */
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
 * or the refused ones, are free: `blocking` is the index of the time that must leave the window first (see
 * `blockingIndex` in `limit-memory.ts`). The list holds the times of the allowed requests in the window, oldest first. As in
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

type Script = { text: string; digest: string }

/** Without a connection, commands reject at once with the reason. */
type RedisClient = {
  evaluate: (script: Script, key: string, values: readonly number[]) => Promise<unknown>
  /** Rejects with the reason of the server if other nodes of a cluster keep some keys of this prefix. */
  assertAllKeys: (prefix: string) => Promise<void>
  /** The section of its `INFO` reply about memory; empty if its user may not ask. */
  memoryInfo: () => Promise<string>
  close: () => void
}

/** Opens a client for one server, or the primary that sentinels name. Waits for it two seconds, and reconnects. */
export async function openRedisClient(address: LimitsAddress): Promise<RedisClient> {
  const redis = serverAt(address)
  const errors = trackErrors(redis)
  const assertUsable = usableCheck(redis)
  await connect(redis)
  return {
    evaluate: async (...asked) => {
      try {
        assertUsable()
        const answer = await runScript(redis, ...asked)
        errors.forget()
        return answer
      } catch (error) {
        throw errors.causeOf(error)
      }
    },
    assertAllKeys: async prefix => {
      // A node has only some of the slots, so it refuses one of these keys.
      const keys = Array.from({ length: 16 }, (_, at) => `${prefix}${at}`)
      await Promise.all(keys.map(key => redis.llen(key)))
    },
    memoryInfo: () => redis.info('memory').catch(() => ''),
    close: () => redis.disconnect(),
  }
}

/** Runs a script. Its text is sent only to a server that does not know it yet. */
async function runScript(redis: Redis, { text, digest }: Script, key: string, values: readonly number[]) {
  try {
    return await redis.evalsha(digest, 1, key, ...values)
  } catch (error) {
    if (!String(error).includes('NOSCRIPT')) throw error
    return await redis.eval(text, 1, key, ...values)
  }
}

const CONNECT_MS = 2000
const RETRY_MS = 500

/** A command is sent at once or fails at once. A connection that is silent for three seconds is replaced. */
const OPTIONS = {
  lazyConnect: true,
  enableReadyCheck: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  connectTimeout: CONNECT_MS,
  socketTimeout: 3000,
  disconnectTimeout: 200,
} as const

function serverAt(address: LimitsAddress): Redis {
  return new Redis({
    ...OPTIONS,
    ...accessOf(address),
    ...(address.kind === 'server' ? directly(address) : throughSentinels(address)),
    db: address.database,
    enableOfflineQueue: false,
    retryStrategy: () => RETRY_MS,
    // The primary has become a replica: its name, or the sentinels, may point to the new primary.
    reconnectOnError: (error: Error) => error.message.includes('READONLY'),
  })
}

function directly({ places: [place], isEncrypted }: Extract<LimitsAddress, { kind: 'server' }>) {
  const servername = place && isIP(place.host) === 0 ? { servername: place.host } : {}
  return { ...place, ...(isEncrypted && { tls: servername }) }
}

function throughSentinels(address: Extract<LimitsAddress, { kind: 'sentinel' }>) {
  const { places, name, isEncrypted, sentinelUsername, sentinelPassword } = address
  return {
    sentinels: [...places],
    name,
    sentinelUsername,
    sentinelPassword,
    sentinelCommandTimeout: CONNECT_MS,
    sentinelRetryStrategy: () => RETRY_MS,
    // Checks whether the server is the primary.
    enableReadyCheck: true,
    ...(isEncrypted && { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true }),
  }
}

function accessOf({ username, password }: LimitsAddress) {
  return { ...(username !== '' && { username }), ...(password !== '' && { password }) }
}

const CLOSED = 'Connection is closed.'

/** Makes a function that throws if there is no connection, or one that must not be used. */
function usableCheck(redis: Redis): () => void {
  // If a server refuses the requested database, the client would use the first one. Its status is still `connect` then.
  let unusable: Error | undefined
  redis.on('error', error => {
    if (redis.status === 'connect') unusable = error
  })
  redis.on('close', () => {
    unusable = undefined
  })
  return () => {
    if (redis.status !== 'ready') throw new Error('there is no connection')
    if (unusable) throw unusable
  }
}

/**
 * Keeps the last error of the connection, because a command that fails for lack of a connection has only a general
 * message.
 */
function trackErrors(redis: Redis) {
  let lastError: Error | undefined
  const keep = (error: Error) => {
    lastError = error.message === CLOSED ? new Error('no connection could be made') : error
  }
  redis.on('error', error => {
    // The reason for each sentinel was already reported.
    if (!error.message.startsWith('All sentinels are unreachable')) keep(error)
  })
  redis.on('sentinelError', keep)
  const forget = () => {
    lastError = undefined
  }
  redis.on('ready', forget)
  /** Returns the cause of a failed command: the reply of the server, or else the error of the connection. */
  const causeOf = (error: unknown): unknown =>
    error instanceof ReplyError ? error : (lastError ?? new Error('the connection was closed', { cause: error }))
  return { forget, causeOf }
}

async function connect(redis: Redis): Promise<void> {
  const connected = redis.connect().catch(() => undefined)
  await withTimeout(CONNECT_MS, connected, () => undefined)
}

/** The advice for an error of a limit server, by its first word; undefined if only the server knows more. */
export function limitAdvice(error: unknown): string | undefined {
  const [code = ''] = groupsOf(/^[A-Z]+(?= |$)/, error instanceof Error ? error.message : '')
  return ADVICE.find(([codes]) => codes.split(' ').includes(code))?.[1]
}

const CLUSTER = 'clusters are not supported: name a server or sentinels with --limits'

/** By the codes of Redis and Valkey (https://valkey.io/topics/cluster-spec/, https://valkey.io/topics/acl/). */
const ADVICE: readonly (readonly [codes: string, advice: string])[] = [
  ['MOVED ASK CLUSTERDOWN CROSSSLOT TRYAGAIN', CLUSTER],
  ['NOAUTH WRONGPASS', 'give the right user and password in --limits'],
  ['NOPERM', 'allow its user the keys and commands in docs/several-nodes.md'],
  ['READONLY', 'name the primary, or sentinels, with --limits'],
  ['OOM', 'give the server more memory'],
]

/** The problem of a server whose `INFO` shows that it evicts keys; undefined if it does not. */
function evictionProblem(info: string): { message: string; fix: string } | undefined {
  const [, policy] = groupsOf(/^maxmemory_policy:(\S+)/m, info)
  if (policy === undefined || policy === 'noeviction') return undefined
  return {
    message: `has the eviction policy ${policy}, so it may forget counts`,
    fix: 'set maxmemory-policy to noeviction',
  }
}
