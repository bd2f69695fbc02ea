import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import { freePort } from './free-port.ts'
import { REPLICA_AT_ONCE, type RedisServer, startRedis, startSentinel, untilReplicated } from './redis.ts'

/** A server that has a replica, and three sentinels who watch it as `main`. */
export type WatchedServer = {
  primary: RedisServer
  sentinels: readonly RedisServer[]
  /** Waits until the replica has what was written so far. */
  replicated: () => Promise<void>
  stop: () => Promise<unknown>
}

/** Starts them. Without an answer for half a second, a server is taken to be down. Sentinels have a password of their own. */
export async function startWatched(password: string, ofSentinels: string): Promise<WatchedServer> {
  const args = ['--requirepass', password, '--masterauth', password]
  const primary = await startRedis({ args: [...args, ...REPLICA_AT_ONCE] })
  const replica = await startRedis({ args: [...args, '--replicaof', `127.0.0.1 ${primary.port}`] })
  const ports = [await freePort(), await freePort(), await freePort()]
  const ids = ports.map(() => randomBytes(20).toString('hex'))
  const knownTo = (self: number) =>
    ids.flatMap((id, at) => (at === self ? [] : `sentinel known-sentinel main 127.0.0.1 ${ports[at]} ${id}`))
  const sentinels = await Promise.all(
    ports.map((port, at) =>
      startSentinel(port, [
        `sentinel myid ${ids[at]}`,
        `sentinel monitor main 127.0.0.1 ${primary.port} 2`,
        'sentinel down-after-milliseconds main 500',
        'sentinel failover-timeout main 3000',
        `sentinel known-replica main 127.0.0.1 ${replica.port}`,
        ...knownTo(at),
        `sentinel auth-pass main ${password}`,
        `sentinel sentinel-pass ${ofSentinels}`,
        `requirepass ${ofSentinels}`,
      ]),
    ),
  )
  const stop = () => Promise.all([primary, replica, ...sentinels].map(server => server.stop()))
  const replicated = async () => {
    const redis = new Redis(primary.port, { password })
    try {
      await untilReplicated(redis)
    } finally {
      redis.disconnect()
    }
  }
  return { primary, sentinels, replicated, stop }
}
