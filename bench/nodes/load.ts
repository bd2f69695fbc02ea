import type { Running } from '../../test/support/command.ts'
import { putLoad } from '../../test/support/load.ts'
import type { RedisServer } from '../../test/support/redis.ts'
import { cpuSeconds } from '../api/processes.ts'

const ROUND_MS = 3000

/** How many replies there were, the processor time of the nodes, and how long it took. */
export type LoadedNodes = { requests: number; seconds: number; elapsedSeconds: number }

/** Asks these nodes at once for a while. */
export async function loadNodes(nodes: readonly Running[], token: string, perSecond?: number): Promise<LoadedNodes> {
  const head = `Host: a\r\nAuthorization: Bearer ${token}\r\n\r\n`
  const requests = ['', '/projects', ...['', '/styles', '/pages', '/files'].map(below => `/project/p0${below}`)].map(
    below => `HEAD /beta/workspace/acme${below} HTTP/1.1\r\n${head}`,
  )
  const before = nodes.map(({ pid }) => cpuSeconds(pid))
  const signal = AbortSignal.timeout(ROUND_MS)
  const answered = await Promise.all(
    nodes.map(({ url }) =>
      putLoad({ port: portOf(url), requests, connections: 8, ...(perSecond !== undefined && { perSecond }) }, signal),
    ),
  )
  const seconds = nodes.reduce((sum, node, at) => sum + cpuSeconds(node.pid) - (before[at] ?? 0), 0)
  const requests200 = answered.reduce((sum, { byStatus }) => sum + (byStatus[200] ?? 0), 0)
  return { requests: requests200, seconds, elapsedSeconds: Math.max(...answered.map(each => each.seconds)) }
}

function portOf(url: string): number {
  return Number(new URL(url).port)
}

/** User and system time of the server. */
export async function redisSeconds({ info }: RedisServer): Promise<number> {
  const used = (await info('cpu')).matchAll(/^used_cpu_(?:user|sys):([\d.]+)/gm)
  return Array.from(used, ([, seconds]) => Number(seconds)).reduce((sum, seconds) => sum + seconds, 0)
}
