import { isIP } from 'node:net'
import { Cluster, Redis } from 'ioredis'
import { withTimeout } from '../../base/promise.ts'
import type { LimitsAddress } from '../../settings/limits-address.ts'

/** A script, and the digest that servers know it by. */
export type Script = { text: string; digest: string }

/** What is asked of Valkey or Redis. Without a connection, it is rejected at once, with why there is none. */
export type RedisClient = {
  evaluate: (script: Script, key: string, values: readonly number[]) => Promise<unknown>
  close: () => void
}

/**
 * Opens a client of one server, of the one that sentinels name, or of a cluster. Waits up to two seconds for the
 * connection, and connects again whenever it is lost.
 */
export async function openRedisClient(address: LimitsAddress): Promise<RedisClient> {
  const redis = address.kind === 'cluster' ? clusterAt(address) : serverAt(address)
  const troubles = troublesOf(redis)
  await connect(redis)
  const evaluate = async ({ text, digest }: Script, key: string, values: readonly number[]) => {
    // A cluster would keep what is asked until it is connected.
    if (redis.status !== 'ready') throw new Error(NOT_CONNECTED)
    const unusable = troubles.unusable()
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
        troubles.forget()
        return answer
      } catch (error) {
        throw troubles.behind(error)
      }
    },
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

function serverAt(address: Exclude<LimitsAddress, { kind: 'cluster' }>): Redis {
  return new Redis({
    ...OPTIONS,
    ...accessOf(address),
    ...(address.kind === 'server' ? directly(address) : throughSentinels(address)),
    db: address.database,
    enableOfflineQueue: false,
    retryStrategy: () => RETRY_MS,
    // The server was the first, and is a replica now: its name, or the sentinels, may lead to another.
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
    // Asks the server whether it is the first.
    enableReadyCheck: true,
    ...(isEncrypted && { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true }),
  }
}

/** A command that may no longer be waited for is not sent again. Only a first command of a node waits for its connection. */
function clusterAt(address: Extract<LimitsAddress, { kind: 'cluster' }>): Cluster {
  const { lazyConnect, enableReadyCheck, ...options } = OPTIONS
  return new Cluster([...address.places], {
    lazyConnect,
    enableReadyCheck,
    // Hosts stay names, so that certificates can be compared with them.
    dnsLookup: (host, found) => found(null, host),
    clusterRetryStrategy: () => RETRY_MS,
    slotsRefreshInterval: 5000,
    maxRedirections: 4,
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    retryDelayOnTryAgain: 20,
    redisOptions: { ...options, ...accessOf(address), ...(address.isEncrypted && { tls: {} }) },
  })
}

function accessOf({ username, password }: LimitsAddress) {
  return { ...(username !== '' && { username }), ...(password !== '' && { password }) }
}

const NOT_CONNECTED = 'there is no connection'
const CLOSED = 'Connection is closed.'
/** What is said of a command that could not be sent, or whose connection was lost. */
const UNSENT =
  /^(?:there is no connection$|Connection is closed|Stream isn't writeable|Reached the max retries|Command aborted)/

/** What has been wrong with connections since a command was last answered. */
function troublesOf(redis: Redis | Cluster) {
  let last: Error | undefined
  const note = (error: Error) => {
    const cause = 'lastNodeError' in error && error.lastNodeError instanceof Error ? error.lastNodeError : error
    last = cause.message === CLOSED ? new Error('no connection could be made') : cause
  }
  redis.on('error', error => {
    // Of each sentinel, it was told why.
    if (!error.message.startsWith('All sentinels are unreachable')) note(error)
  })
  redis.on('sentinelError', note)
  redis.on('node error', note)
  const forget = () => {
    last = undefined
  }
  redis.on('ready', forget)
  // If a server refuses the database that is asked for, the client would go on in the first one.
  let unusable: Error | undefined
  redis.on('error', error => {
    if (redis.status === 'connect') unusable = error
  })
  redis.on('close', () => {
    unusable = undefined
  })
  /** Why a command failed: if it was for want of a connection, why there is none. */
  const behind = (error: unknown) => {
    const isUnsent = error instanceof Error && UNSENT.test(error.message)
    return isUnsent ? (last ?? new Error('the connection was closed')) : error
  }
  return { forget, behind, unusable: () => unusable }
}

async function connect(redis: Redis | Cluster): Promise<void> {
  const connected = redis.connect().catch(() => undefined)
  await withTimeout(CONNECT_MS, connected, () => undefined)
}
