import { isIP } from 'node:net'
import { Redis } from 'ioredis'
import { withTimeout } from '../../base/promise.ts'
import type { LimitsAddress } from '../../settings/shared-addresses.ts'

/** A script, and its digest, which identifies it on servers. */
export type Script = { text: string; digest: string }

/** A Valkey or Redis client. Without a connection, commands reject at once with the reason. */
export type RedisClient = {
  evaluate: (script: Script, key: string, values: readonly number[]) => Promise<unknown>
  /** Rejects with the reason of the server if other nodes of a cluster keep some keys of this prefix. */
  assertAllKeys: (prefix: string) => Promise<void>
  /** The section of its `INFO` reply about memory; empty if its user may not ask. */
  memoryInfo: () => Promise<string>
  close: () => void
}

/**
 * Opens a client for one server, or for the primary that sentinels name. Waits up to two seconds for the connection, and
 * reconnects when it is lost.
 */
export async function openRedisClient(address: LimitsAddress): Promise<RedisClient> {
  const redis = serverAt(address)
  const errors = trackErrors(redis)
  await connect(redis)
  const evaluate = async ({ text, digest }: Script, key: string, values: readonly number[]) => {
    if (redis.status !== 'ready') throw new Error(NOT_CONNECTED)
    const unusable = errors.unusable()
    if (unusable) throw unusable
    try {
      return await redis.evalsha(digest, 1, key, ...values)
    } catch (error) {
      if (!String(error).includes('NOSCRIPT')) throw error
      return await redis.eval(text, 1, key, ...values)
    }
  }
  return {
    evaluate: async (...asked) => {
      try {
        const answer = await evaluate(...asked)
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

const NOT_CONNECTED = 'there is no connection'
const CLOSED = 'Connection is closed.'
/** The messages of commands that could not be sent, or whose connection was lost. */
const UNSENT =
  /^(?:there is no connection$|Connection is closed|Stream isn't writeable|Reached the max retries|Command aborted)/

/** Tracks connection errors since the last successful command. */
function trackErrors(redis: Redis) {
  let last: Error | undefined
  const note = (error: Error) => {
    last = error.message === CLOSED ? new Error('no connection could be made') : error
  }
  redis.on('error', error => {
    // The reason for each sentinel was already reported.
    if (!error.message.startsWith('All sentinels are unreachable')) note(error)
  })
  redis.on('sentinelError', note)
  const forget = () => {
    last = undefined
  }
  redis.on('ready', forget)
  // If a server refuses the requested database, the client would use the first one.
  let unusable: Error | undefined
  redis.on('error', error => {
    if (redis.status === 'connect') unusable = error
  })
  redis.on('close', () => {
    unusable = undefined
  })
  /** Returns the cause of a failed command: for a missing connection, the connection error. */
  const causeOf = (error: unknown) => {
    const isUnsent = error instanceof Error && UNSENT.test(error.message)
    return isUnsent ? (last ?? new Error('the connection was closed')) : error
  }
  return { forget, causeOf, unusable: () => unusable }
}

async function connect(redis: Redis): Promise<void> {
  const connected = redis.connect().catch(() => undefined)
  await withTimeout(CONNECT_MS, connected, () => undefined)
}
