import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Bench, Figure } from './support/bench.ts'
import { makeBrands } from './support/brands.ts'
import { processorSeconds, startService } from './support/processes.ts'
import { apiRequests, writeRequests } from './support/requests.ts'
import { load } from './support/wrk.ts'

const CONNECTIONS = 500
/** Enough connections to keep the server busy. */
const PEAK_CONNECTIONS = 16
const SECONDS = 10

/** Timeouts of 500 API clients, and the goodput of our HTTP server if 500 connections offer five times its peak. */
export async function* measure(bench: Bench): AsyncGenerator<Figure> {
  const brands = await makeBrands(bench.bin, bench.folder, { projects: 5 })
  const service = await startService(bench, brands.store)
  const requests = await apiRequests(service.url, brands)
  const file = await writeRequests(join(bench.folder, 'requests'), service.url, requests)
  const round = await load(service, file, SECONDS, CONNECTIONS)
  yield {
    name: `API replies that timed out, ${CONNECTIONS} connections`,
    value: round.timedOut,
    unit: 'count',
    bound: { atMost: 0 },
    note: `${round.requests} requests, ${round.failed} failed`,
  }
  yield await goodput()
}

/** Counts answers per second of the server's processor time, because the clients need processors, too. */
async function goodput(): Promise<Figure> {
  const server = startProgram('busy-server')
  try {
    const [port] = await once(server.stdout.setEncoding('utf8'), 'data')
    const offer = async (perSecond: number, connections: number, seconds: number) => {
      const before = processorSeconds(server.pid ?? 0)
      const args = [Number(port), perSecond, connections, seconds * 1000].map(String)
      const answers = Number(await text(startProgram('open-loop', args).stdout))
      return {
        perSecond: answers / seconds,
        perCpuSecond: answers / (processorSeconds(server.pid ?? 0) - before),
      }
    }
    await offer(0, PEAK_CONNECTIONS, 1)
    const peak = await offer(0, PEAK_CONNECTIONS, 3)
    const overload = await offer(5 * peak.perSecond, CONNECTIONS, SECONDS)
    return {
      name: `answers at five times the peak over ${CONNECTIONS} connections ÷ at the peak`,
      value: overload.perCpuSecond / peak.perCpuSecond,
      unit: 'ratio',
      bound: { atLeast: 0.6 },
      note: `peak ${peak.perSecond.toFixed(0)} a second`,
    }
  } finally {
    server.kill()
  }
}

function startProgram(name: string, args: readonly string[] = []) {
  const path = join(import.meta.dirname, `support/${name}.ts`)
  return spawn(process.execPath, [path, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
}
