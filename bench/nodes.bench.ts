import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { writeFolder } from '../test/support/brand-folder.ts'
import { command, type Running, serve } from '../test/support/command.ts'
import { type PostgresServer, startPostgres } from '../test/support/postgres.ts'
import { type RedisServer, startRedis } from '../test/support/redis.ts'
import { loadNodes, redisSeconds } from './nodes/load.ts'
import { type BenchStore, bin, makeStore, PROJECTS } from './nodes/store.ts'
import { median } from './quantile.ts'
import type { Figure } from './run.ts'

const [FEW, MANY] = [10, 10_000]
const STARTS = 5
/** What each node of a fleet is asked: so little that the machine is not what they wait for. */
const PER_SECOND = 300

/**
 * What 10,000 workspaces of ten projects in Postgres cost beside ten, in one run; and what a request costs one node, two
 * and four, which share Postgres and the limit.
 */
export async function* measure(): AsyncGenerator<Figure> {
  const folder = mkdtempSync(join(tmpdir(), 'housestyle-bench-'))
  const statements = ['-c', 'shared_preload_libraries=pg_stat_statements']
  const [postgres, redis] = await Promise.all([startPostgres(statements), startRedis()])
  try {
    const few = await makeStore(postgres, folder, FEW)
    const many = await makeStore(postgres, folder, MANY)
    yield* compareStores(few, many)
    yield* compareFleets(many, redis, postgres)
  } finally {
    await Promise.all([postgres.stop(), redis.stop()])
    rmSync(folder, { recursive: true })
  }
}

async function* compareStores(few: BenchStore, many: BenchStore): AsyncGenerator<Figure> {
  const starts: Record<number, Start[]> = { [FEW]: [], [MANY]: [] }
  for (let round = 0; round <= STARTS; round++)
    for (const store of [few, many]) {
      const start = await timeStart(store)
      if (round > 0) starts[store.workspaces]?.push(start)
    }
  const of = (workspaces: number, what: keyof Start) => median((starts[workspaces] ?? []).map(start => start[what]))
  const all = MANY * PROJECTS
  yield { name: `first reply with ${all} projects`, value: of(MANY, 'ms'), unit: 'ms', wanted: { atMost: 2000 } }
  yield {
    name: `first reply with ${all} projects ÷ with ${FEW * PROJECTS}`,
    value: of(MANY, 'ms') / of(FEW, 'ms'),
    unit: 'ratio',
    wanted: { atMost: 1.5 },
  }
  yield {
    name: `memory with ${all} projects above that with ${FEW * PROJECTS} (RSS)`,
    value: of(MANY, 'megabytes') - of(FEW, 'megabytes'),
    unit: 'MB',
    wanted: { atMost: 20 },
  }
  yield {
    name: 'more memory once a page of each of the workspaces was asked for (RSS)',
    value: await memoryOfAll(many),
    unit: 'MB',
    wanted: { atMost: 250 },
  }
  const moves = { few: await timeMove(few), many: await timeMove(many) }
  yield {
    name: `a publication until it is served, with ${all} projects ÷ with ${FEW * PROJECTS}`,
    value: moves.many / moves.few,
    unit: 'ratio',
    wanted: { atMost: 1.5 },
  }
}

type Start = { ms: number; megabytes: number }

async function timeStart({ place }: BenchStore): Promise<Start> {
  const began = performance.now()
  const service = await serve(bin, ...place)
  try {
    const reply = await fetch(`${service.url}/acme/p0.md`)
    await reply.text()
    const ms = performance.now() - began
    if (reply.status !== 200) throw new Error(`${reply.status}`)
    await sleep(500)
    return { ms, megabytes: megabytes(service) }
  } finally {
    await service.stop()
  }
}

/** What reading a page of each workspace adds, as Markdown, so that no process renders it. */
async function memoryOfAll({ place, workspaces }: BenchStore): Promise<number> {
  const service = await serve(bin, ...place)
  try {
    await (await fetch(`${service.url}/acme/p0.md`)).text()
    const before = megabytes(service)
    for (let at = 1; at < workspaces; at += 20)
      await Promise.all(
        Array.from({ length: Math.min(20, workspaces - at) }, async (_, next) =>
          (await fetch(`${service.url}/w${at + next}/p0.md`)).text(),
        ),
      )
    return megabytes(service) - before
  } finally {
    await service.stop()
  }
}

/** The middle time from the start of a publication until a node that has the workspace in memory serves it. */
async function timeMove({ place, folder }: BenchStore): Promise<number> {
  const service = await serve(bin, ...place)
  try {
    const times: number[] = []
    for (let revision = 1; revision <= 5; revision++) {
      const text = `# Revision ${revision}\n`
      await writeFolder(folder, { 'p0/pages/index.md': text })
      await command(bin, 'import', folder, ...place)
      const began = performance.now()
      await command(bin, 'publish', 'acme/p0', ...place)
      while (!(await (await fetch(`${service.url}/acme/p0.md`)).text()).includes(text)) await sleep(2)
      times.push(performance.now() - began)
    }
    return median(times)
  } finally {
    await service.stop()
  }
}

async function* compareFleets(store: BenchStore, redis: RedisServer, postgres: PostgresServer): AsyncGenerator<Figure> {
  const token = (await command(bin, 'token', 'issue', 'acme', ...store.place)).trim()
  const limits = ['--limits', redis.url, '--rate', '100000/1']
  const nodes = await Promise.all(Array.from({ length: 4 }, () => serve(bin, ...store.place, ...limits)))
  try {
    const full: number[] = []
    let fullLimit = await redisSeconds(redis)
    let fullSeconds = 0
    for (const node of nodes) {
      const { requests, seconds } = await loadNodes([node], token)
      full.push(requests / seconds)
      fullSeconds += seconds
    }
    fullLimit = (await redisSeconds(redis)) - fullLimit
    await postgres.query('SELECT pg_stat_statements_reset()', store.database)
    const costs: Record<number, number[]> = { 1: [], 2: [], 4: [] }
    const began = performance.now()
    for (let round = 0; round < 3; round++)
      for (const count of [1, 2, 4]) {
        const { requests, seconds } = await loadNodes(nodes.slice(0, count), token, PER_SECOND)
        costs[count]?.push(requests / seconds)
      }
    const perSecond = (count: number) => median(costs[count] ?? [])
    yield {
      name: `requests for each CPU-second of a node that is asked ${PER_SECOND} a second`,
      value: perSecond(1),
      unit: 'count',
      wanted: { atLeast: 5000 },
    }
    for (const count of [2, 4])
      yield {
        name: `the same of ${count} nodes ÷ of one`,
        value: perSecond(count) / perSecond(1),
        unit: 'ratio',
        wanted: { atLeast: 0.7 },
      }
    yield {
      name: 'requests for each CPU-second of a node that is asked all it can answer',
      value: median(full.slice(1)),
      unit: 'count',
      wanted: { atLeast: 5000 },
    }
    yield {
      name: 'CPU time of the shared limit ÷ of such a node',
      value: fullLimit / fullSeconds,
      unit: 'ratio',
      wanted: { atMost: 0.5 },
    }
    const { rows } = await postgres.query('SELECT SUM(calls)::float8 AS calls FROM pg_stat_statements', store.database)
    const perNode = Number(rows[0]?.calls) / 4 / ((performance.now() - began) / 1000)
    yield {
      name: 'statements of a node in a second, busy or not',
      value: perNode,
      unit: 'count',
      wanted: { atMost: 10 },
    }
  } finally {
    await Promise.all(nodes.map(node => node.stop()))
  }
}

function megabytes({ pid }: Running): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) / 1024
}
