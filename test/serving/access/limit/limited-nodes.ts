import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { MAIN } from '../../../program/cli/housestyle.ts'
import { type Running, serve } from '../../../support/command.ts'
import { temporaryStore } from '../../../support/temporary-store.ts'

const WORKSPACES = ['acme', 'busy', 'calm', 'deep'] as const
type Workspace = (typeof WORKSPACES)[number]

/** Services of one store, each in its own process, with a shared limit. */
export type LimitedNodes = {
  /** Sends concurrent requests to the services in turn, and returns the statuses. */
  ask: (workspace: Workspace, times: number) => Promise<number[]>
  /**
   * Sends requests continuously, a few at a time. `stop` returns the number of replies of each status, and of lost
   * requests.
   */
  load: (workspace: Workspace) => { stop: () => Promise<Readonly<Record<string, number>>> }
  /** Waits until `/readyz` of every service returns 200 and this text. */
  untilReadyz: (text: string) => Promise<void>
  /** Returns the value of a metric at every service. */
  metric: (name: string) => Promise<(string | undefined)[]>
  /** Stops them and returns their logs. */
  stop: () => Promise<Record<string, unknown>[]>
}

/** Starts this number of services, which stop after the tests. */
export async function startLimitedNodes(count: number, limits: string, rate: string): Promise<LimitedNodes> {
  const store = await temporaryStore()
  const bearers = new Map<string, Record<string, string>>()
  for (const workspace of WORKSPACES) {
    await store.importing(workspace, { 'guide/project.yaml': 'name: Guide\n' })
    await store.publish(`${workspace}/guide`)
    bearers.set(workspace, { authorization: `Bearer ${(await store.issue(workspace)).token}` })
  }
  const settings = ['--data', store.data, '--limits', limits, '--rate', rate]
  const nodes: Running[] = await Promise.all(Array.from({ length: count }, () => serve(MAIN, ...settings)))
  after(() => Promise.all(nodes.map(node => node.stop())))
  let next = 0
  const ask = async (workspace: Workspace) => {
    const url = nodes[next++ % count]?.baseUrl
    const reply = await fetch(`${url}/workspace/${workspace}`, { headers: bearers.get(workspace) ?? {} })
    await reply.arrayBuffer()
    return reply.status
  }
  return {
    ask: (workspace, times) => Promise.all(Array.from({ length: times }, () => ask(workspace))),
    load: workspace => {
      const seen: Record<string, number> = {}
      let isStopping = false
      const client = async () => {
        for (; !isStopping; await sleep(5)) {
          const outcome = await ask(workspace).catch(error => `lost: ${error.cause ?? error}`)
          seen[outcome] = (seen[outcome] ?? 0) + 1
        }
      }
      const clients = Promise.all(Array.from({ length: 4 }, client))
      const stop = async () => {
        isStopping = true
        await clients
        return seen
      }
      return { stop }
    },
    untilReadyz: async text => {
      for (const { url } of nodes) {
        for (let state = ''; state !== `200 ${text}\n`; await sleep(20)) {
          const reply = await fetch(`${url}/readyz`)
          state = `${reply.status} ${await reply.text()}`
        }
      }
    },
    metric: name =>
      Promise.all(
        nodes.map(async ({ url }) => {
          const text = await (await fetch(`${url}/metrics`)).text()
          return new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]
        }),
      ),
    stop: async () => {
      await Promise.all(nodes.map(node => node.stop()))
      const logs = await Promise.all(nodes.map(({ log }) => log))
      return logs.flatMap(log => log.split('\n').flatMap(line => (line === '' ? [] : [JSON.parse(line)])))
    },
  }
}
