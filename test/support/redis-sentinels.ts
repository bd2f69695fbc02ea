import { randomBytes } from 'node:crypto'
import { freePort } from './free-port.ts'
import { REPLICA_AT_ONCE, type RedisServer, startRedis, startSentinel } from './redis.ts'

/** A server with a replica, and three sentinels that watch it as `main`. */
export type WatchedServer = {
  primary: RedisServer
  sentinels: readonly RedisServer[]
  stop: () => Promise<unknown>
}

/** Starts a watched server, which counts as down after half a second of silence. Sentinels have a separate password. */
export async function startWatched(password: string, ofSentinels: string): Promise<WatchedServer> {
  const access = ['--masterauth', password]
  const primary = await startRedis({ password, args: [...access, ...REPLICA_AT_ONCE] })
  const replica = await startRedis({ password, args: [...access, '--replicaof', `127.0.0.1 ${primary.port}`] })
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
  return { primary, sentinels, stop }
}
