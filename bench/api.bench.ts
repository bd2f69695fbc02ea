import { join } from 'node:path'
import { freePort } from '../test/support/free-port.ts'
import { type Bench, type Figure, median } from './support/bench.ts'
import { makeBrands } from './support/brands.ts'
import { startNginx } from './support/nginx.ts'
import { type Server, startServer, startService } from './support/processes.ts'
import { apiRequests, PAGE_VIEW, type Request, writeRequests } from './support/requests.ts'
import { load } from './support/wrk.ts'

const WARM_ROUNDS = 3
const ROUNDS = 9
const ROUND_SECONDS = 1

/**
 * Requests per second of processor time: API replies and a public page of the service, next to a constant reply of
 * node:http and an nginx that serves the same API replies from files. The servers share a core and take turns.
 */
export async function* measure(bench: Bench): AsyncGenerator<Figure> {
  const brands = await makeBrands(bench.bin, bench.folder, { projects: 5 })
  const service = await startService(bench, brands.store)
  const requests = await apiRequests(service.url, brands)
  const nginx = await startNginx(bench, service.url, requests)
  const row = async (server: Server, asked: readonly Request[]): Promise<Row> => ({
    server,
    requests: await writeRequests(join(bench.folder, `requests-${Math.random()}`), server.url, asked),
    rounds: [],
  })
  const api = await row(service, requests)
  const page = await row(service, [PAGE_VIEW])
  const constant = await row(await startConstant(bench), requests)
  // nginx compares entity tags that it made itself.
  const files = await row(nginx, await apiRequests(nginx.url, brands))
  const rows = [api, constant, page, files]
  for (let round = -WARM_ROUNDS; round < ROUNDS; round++) for (const each of rows) await loadRow(each, round >= 0)
  yield { name: 'API ÷ constant reply of node:http', ...ratio(api, constant), bound: { atLeast: 0.95 } }
  yield { name: 'API ÷ nginx with the same replies', ...ratio(api, files), bound: { atLeast: 0.55 } }
  yield { name: 'public page ÷ constant reply of node:http', ...ratio(page, constant), bound: { atLeast: 0.75 } }
}

/** A server, a file of requests, and the requests per second of processor time in each round. */
type Row = { server: Server; requests: string; rounds: number[] }

async function startConstant(bench: Bench): Promise<Server> {
  const port = String(await freePort())
  const program = join(import.meta.dirname, 'support/constant.js')
  return startServer(bench, `http://127.0.0.1:${port}`, [process.execPath, program, port])
}

async function loadRow({ server, requests, rounds }: Row, isCounted: boolean): Promise<void> {
  const { perCpuSecond, failed } = await load(server, requests, ROUND_SECONDS)
  if (failed > 0) throw new Error(`${server.url}: ${failed} requests failed`)
  if (isCounted) rounds.push(perCpuSecond)
}

/** Compares rounds that ran one after the other, because the machine's speed changes within minutes. */
function ratio(one: Row, other: Row): Pick<Figure, 'value' | 'unit' | 'note'> {
  const ratios = one.rounds.map((each, at) => each / (other.rounds[at] ?? Number.NaN)).sort((a, b) => a - b)
  const [lowest = 0, highest = 0] = [ratios[0], ratios.at(-1)]
  const rates = [one, other].map(({ rounds }) => Math.round(median(rounds)))
  return {
    value: median(ratios),
    unit: 'ratio',
    note: `${rates.join(' ÷ ')} requests, rounds from ${lowest.toFixed(2)} to ${highest.toFixed(2)}`,
  }
}
