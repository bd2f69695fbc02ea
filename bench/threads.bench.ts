import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { threadShares } from '../test/support/thread-shares.ts'
import { makeBrands } from './api/brands.ts'
import { closedLoop } from './api/closed-loop.ts'
import { cpuSeconds, memoryOf, type Server } from './api/processes.ts'
import { startProduct } from './api/product.ts'
import { apiRequests } from './api/subjects.ts'
import { writeRequests } from './api/wire.ts'
import { unpackPackage } from './package.ts'
import { median } from './quantile.ts'
import type { Figure, Options } from './run.ts'

/** Two threads, what asks them, and what they are compared with have the same two cores. */
const CORES = '0,1'
const WARM_ROUNDS = 3
const ROUND_SECONDS = 1
const CONNECTIONS = 32
const BURSTS = 9

/**
 * What a request costs two threads of a process, beside one thread and beside two processes, in rounds that take turns; how
 * evenly bursts of connections are taken; and what a thread takes in memory once it is warm.
 */
export async function* measure({ rounds }: Options): AsyncGenerator<Figure> {
  const folder = mkdtempSync(join(tmpdir(), 'housestyle-bench-'))
  try {
    await using started = new AsyncDisposableStack()
    const bin = unpackPackage(folder)
    const brands = await makeBrands(bin, folder)
    const start = async (...options: string[]) => {
      const edition = { program: process.execPath, options, cores: CORES }
      return started.adopt(await startProduct(bin, brands, edition), ({ stop }) => stop())
    }
    const [one, two] = [await start(), await start('--threads', '2')]
    const processes = [await start(), await start()]
    const requests = await writeRequests(join(folder, 'requests'), one.url, await apiRequests(one.url, brands))
    const rows = { one: [one], two: [two], processes }
    const each: Record<keyof typeof rows, number[]> = { one: [], two: [], processes: [] }
    for (let round = 0; round < WARM_ROUNDS + rounds; round++) {
      for (const row of ['one', 'two', 'processes'] as const) {
        const perCpuSecond = await ask(rows[row], requests)
        if (round >= WARM_ROUNDS) each[row].push(perCpuSecond)
      }
    }
    yield {
      name: 'requests per CPU-second, two threads ÷ one',
      value: ratio(each.two, each.one),
      unit: 'ratio',
      wanted: { atLeast: 0.9 },
      note: `two processes on the same cores ÷ one: ${ratio(each.processes, each.one).toFixed(2)}`,
    }
    yield {
      name: 'the same, two threads ÷ two processes',
      value: ratio(each.two, each.processes),
      unit: 'ratio',
      wanted: { atLeast: 0.95 },
    }
    for (const connections of [32, 64, 500]) yield await share(two, connections)
    yield {
      name: 'memory of a second thread, after the same traffic (RSS)',
      value: memoryOf(two.pid).now - memoryOf(one.pid).now,
      unit: 'MB',
      wanted: { atMost: 60 },
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * Asks for a while, from both cores in equal parts, be it one server or two: what a request costs depends on whether its
 * client has the same core, and each of two processes would otherwise share one with its own client. Gives the requests for
 * each second of the servers' processor time.
 */
async function ask(servers: readonly Server[], requests: string): Promise<number> {
  const used = () => servers.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0)
  const before = used()
  const each = servers.length === 1 ? [...servers, ...servers] : servers
  const clients = CORES.split(',').flatMap(core => each.map(server => ({ core, server })))
  const all = await Promise.all(
    clients.map(({ core, server }) => closedLoop(server, requests, ROUND_SECONDS, CONNECTIONS / clients.length, core)),
  )
  if (all.some(({ failed }) => failed > 0)) throw new Error('requests failed')
  return all.reduce((sum, { requests }) => sum + requests, 0) / (used() - before)
}

/** Of rounds that took turns. */
function ratio(these: readonly number[], those: readonly number[]): number {
  return median(these.map((value, at) => value / (those[at] ?? Number.NaN)))
}

async function share({ url }: Server, connections: number): Promise<Figure> {
  const least: number[] = []
  for (let burst = 0; burst < BURSTS; burst++)
    least.push(Math.min(...(await threadShares(`${url}/healthz`, connections))) / connections)
  const name = `of ${connections} connections at once, the share of the thread that has fewer`
  return { name, value: median(least), unit: 'ratio', wanted: { atLeast: 0.33 } }
}
