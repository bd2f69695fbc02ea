import { Redis } from 'ioredis'
import { freePort } from './free-port.ts'
import { REPLICA_AT_ONCE, type RedisServer, startRedis } from './redis.ts'
import { until } from './until.ts'

const SLOTS = 16_384

/** Three servers that each own a third of the slots. */
export type RedisCluster = {
  /** `127.0.0.1:{port}` of each. */
  places: readonly string[]
  /** The initial owner of a key's slot. */
  keeperOf: (key: string) => Promise<ClusterNode>
  /**
   * Moves the slot of a key from its owner to another server. Calls the callback during the migration, and again after
   * the keys have moved.
   */
  moveSlot: (key: string, to: ClusterNode, meanwhile: () => Promise<unknown>) => Promise<void>
  /** Starts a replica of a server, which takes over with the data that it has received (`untilReplicated`). */
  startReplica: (of: ClusterNode) => Promise<void>
  stop: () => Promise<unknown>
}

export type ClusterNode = { server: RedisServer; redis: Redis; id: string }

/**
 * Starts a cluster, which also answers while some slots have no owner. A server counts as down after a second of
 * silence.
 */
export async function startCluster(): Promise<RedisCluster> {
  const first = await startNode()
  const primaries = [first, ...(await Promise.all([startNode(), startNode()]))]
  const nodes = [...primaries]
  for (const [at, { redis }] of primaries.entries()) {
    const [from = 0, to = 0] = [at, at + 1].map(part => Math.ceil((SLOTS * part) / 3))
    await redis.call('CLUSTER', 'ADDSLOTSRANGE', from, to - 1)
    await redis.call('CLUSTER', 'SET-CONFIG-EPOCH', at + 1)
  }
  await meet(primaries)
  const keeperOf = async (key: string) => {
    const slot = await first.redis.cluster('KEYSLOT', key)
    return primaries[Math.floor((slot * primaries.length) / SLOTS)] ?? first
  }
  return {
    places: primaries.map(({ server }) => `127.0.0.1:${server.port}`),
    keeperOf,
    moveSlot: async (key, to, meanwhile) => {
      const { redis, id } = await keeperOf(key)
      const slot = await redis.cluster('KEYSLOT', key)
      await to.redis.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', id)
      await redis.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', to.id)
      await meanwhile()
      const keys = await redis.cluster('GETKEYSINSLOT', slot, 100)
      await redis.call('MIGRATE', '127.0.0.1', to.server.port, '', 0, 5000, 'KEYS', ...keys)
      await meanwhile()
      for (const each of [to, ...primaries.filter(primary => primary !== to)])
        await each.redis.call('CLUSTER', 'SETSLOT', slot, 'NODE', to.id)
      // Replicas learn of the move late, and do not take over a slot that they do not know.
      await until(async () => (await Promise.all(nodes.map(node => keeperIn(node, slot)))).every(id => id === to.id))
    },
    startReplica: async of => {
      const replica = await startNode()
      nodes.push(replica)
      await meet([...primaries, replica])
      await replica.redis.call('CLUSTER', 'REPLICATE', of.id)
      await until(async () => (await replica.redis.info('replication')).includes('master_link_status:up'))
    },
    stop: async () => {
      for (const { redis } of nodes) redis.disconnect()
      await Promise.all(nodes.map(({ server }) => server.stop()))
    },
  }
}

async function startNode(): Promise<ClusterNode> {
  const own = ['--cluster-enabled', 'yes', '--cluster-port', `${await freePort()}`, '--cluster-node-timeout', '1000']
  const server = await startRedis({ args: [...own, '--cluster-require-full-coverage', 'no', ...REPLICA_AT_ONCE] })
  const redis = new Redis(server.url)
  redis.on('error', () => {})
  return { server, redis, id: String(await redis.call('CLUSTER', 'MYID')) }
}

/** The id of the primary that answers for a slot, as a node knows it. */
async function keeperIn({ redis }: ClusterNode, slot: number): Promise<unknown> {
  const ranges = await redis.cluster('SLOTS')
  return ranges.find(([from, to]) => from <= slot && slot <= to)?.[2]?.[2]
}

/** Introduces nodes to the first of them, and waits until each knows all. */
async function meet(nodes: readonly ClusterNode[]): Promise<void> {
  const [first, ...others] = nodes
  const [, bus = ''] = /:\d+@(\d+)/.exec(String(await first?.redis.call('CLUSTER', 'NODES'))) ?? []
  for (const { redis } of others) await redis.call('CLUSTER', 'MEET', '127.0.0.1', first?.server.port ?? 0, bus)
  const knows = async ({ redis }: ClusterNode) => {
    const info = String(await redis.call('CLUSTER', 'INFO'))
    const names = String(await redis.call('CLUSTER', 'NODES'))
    return (
      info.includes('cluster_state:ok') && nodes.every(({ id }) => names.includes(id)) && !names.includes('handshake')
    )
  }
  await until(async () => (await Promise.all(nodes.map(knows))).every(known => known))
}
