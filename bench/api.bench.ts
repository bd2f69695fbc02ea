import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../test/support/free-port.ts'
import { startNginx } from './api/nginx.ts'
import { closedLoop, LOAD_CORE, type Round, type Server, startServer } from './api/processes.ts'
import { apiRequests, type Brands, makeBrands, PUBLIC_URL, wire, writeRequests } from './api/traffic.ts'
import { median } from './median.ts'
import { unpackPackage } from './package.ts'
import type { Figure } from './run.ts'

const ROUNDS = 9
const ROUND_SECONDS = 3
const LATENCY_SECONDS = 10
/** If the figures of the reference lie further apart than this share of their median, they say nothing. */
const MOST_SPREAD = 0.25
const OUTPUT = 'bench-api.json'

/** One of those that are compared: a server, and what it is asked for. */
type Contestant = { name: string; server: Server; requests: string; rounds: Round[] }

/**
 * What a request costs in processor time: of the API and of a public page, beside a constant reply of node:http and a
 * file of nginx. Each server has a core of its own while it is asked, and what asks has another. Rounds take turns, and
 * begin with another one each time. Then how long replies take if requests come at a fixed rate.
 */
export async function* measure(): AsyncGenerator<Figure> {
  const folder = mkdtempSync(join(tmpdir(), 'housestyle-bench-'))
  const servers: Server[] = []
  try {
    const contestants = await start(folder, servers)
    for (let round = 0; round <= ROUNDS; round++) {
      const turn = contestants.map((_, at) => contestants[(at + round) % contestants.length])
      for (const each of turn) if (each) await ask(each, round > 0)
    }
    const table = contestants.map(({ name, rounds }) => ({ name, perCpuSecond: medianOf(rounds) }))
    console.table(table)
    const [api, , constant] = contestants
    if (!api || !constant) throw new Error('a server is missing')
    if (spread(constant.rounds) > MOST_SPREAD)
      throw new Error(
        `the constant reply differs by ${Math.round(100 * spread(constant.rounds))} %: too much else runs`,
      )
    yield* figures(table)
    const latency = await latencies(api)
    console.table(latency)
    writeFileSync(OUTPUT, JSON.stringify({ contestants, latency }, undefined, 2))
    console.log(`  written to ${OUTPUT}`)
    yield* latencyFigures(latency)
  } finally {
    for (const { stop } of servers) await stop()
    rmSync(folder, { recursive: true })
  }
}

async function start(folder: string, servers: Server[]): Promise<Contestant[]> {
  const bin = unpackPackage(folder)
  const brands = await makeBrands(bin, folder)
  const product = await startProduct(bin, brands)
  servers.push(product)
  const constantPort = String(await freePort())
  const program = join(import.meta.dirname, 'api/constant.js')
  const constant = await startServer(`http://127.0.0.1:${constantPort}`, process.execPath, program, constantPort)
  servers.push(constant)
  const nginx = await startNginx(folder)
  servers.push(nginx)
  const api = await writeRequests(join(folder, 'api'), await apiRequests(product.url, brands))
  const fields = { 'accept-encoding': 'br', accept: 'text/html,*/*' }
  const page = await writeRequests(join(folder, 'page'), [wire('/brand-1/guide-1', 'brand.test', fields)])
  return [
    { name: 'housestyle: the API', server: product, requests: api, rounds: [] },
    { name: 'housestyle: a public page', server: product, requests: page, rounds: [] },
    { name: 'node:http: a constant reply', server: constant, requests: api, rounds: [] },
    { name: 'nginx: a file, no checks', server: nginx, requests: api, rounds: [] },
  ]
}

async function startProduct(bin: string, { store }: Brands): Promise<Server> {
  const port = String(await freePort())
  const options = ['--public-url', PUBLIC_URL, '--port', port, '--rate', '1000000/1', '--log', 'warn']
  return startServer(`http://127.0.0.1:${port}`, process.execPath, bin, 'serve', ...store, ...options)
}

/** Asks for a while. The first round warms the server up, and is not counted. */
async function ask({ name, server, requests, rounds }: Contestant, isCounted: boolean): Promise<void> {
  const round = await closedLoop(server, requests, ROUND_SECONDS)
  if (round.failed > 0) throw new Error(`${name}: ${round.failed} of ${round.requests} requests failed`)
  if (isCounted) rounds.push(round)
}

function medianOf(rounds: readonly Round[]): number {
  return Math.round(median(rounds.map(({ perCpuSecond }) => perCpuSecond)))
}

function spread(rounds: readonly Round[]): number {
  const values = rounds.map(({ perCpuSecond }) => perCpuSecond)
  return (Math.max(...values) - Math.min(...values)) / median(values)
}

function figures(table: readonly { name: string; perCpuSecond: number }[]): Figure[] {
  const [api = 0, page = 0, constant = 0, nginx = 0] = table.map(({ perCpuSecond }) => perCpuSecond)
  const ratio = (name: string, value: number, atLeast: number): Figure => ({
    name: `${name}, in requests for each second of the server's processor`,
    value,
    unit: 'ratio',
    wanted: { atLeast },
  })
  return [
    ratio('the API ÷ a constant reply of node:http', api / constant, 0.8),
    ratio('the API ÷ a file of nginx', api / nginx, 0.7),
    ratio('a public page ÷ a constant reply of node:http', page / constant, 0.75),
  ]
}

/** How long replies take, in milliseconds, at a share of what the server can do. */
type Latency = { share: number; perSecond: number; p50: number; p99: number; p999: number; failed: number }

async function latencies({ server, requests, rounds }: Contestant): Promise<Latency[]> {
  const capacity = median(rounds.map(each => (each.requests / each.microseconds) * 1e6))
  const found: Latency[] = []
  for (const share of [0.3, 0.6, 0.9]) {
    const perSecond = Math.round(capacity * share)
    const sender = join(import.meta.dirname, 'api/open-loop.ts')
    const args = [sender, new URL(server.url).port, requests, String(perSecond), String(LATENCY_SECONDS)]
    const { stdout } = await promisify(execFile)('taskset', ['-c', String(LOAD_CORE), process.execPath, ...args])
    found.push({ share, perSecond, ...JSON.parse(stdout) })
  }
  return found
}

function latencyFigures(found: readonly Latency[]): Figure[] {
  const at60 = found.find(({ share }) => share === 0.6)
  const milliseconds = (name: string, value: number, atMost: number): Figure => ({
    name: `${name} of replies of the API at 60 % of what the server can do`,
    value,
    unit: 'ms',
    wanted: { atMost },
  })
  return [
    milliseconds('99th percentile', at60?.p99 ?? Number.NaN, 2),
    milliseconds('99.9th percentile', at60?.p999 ?? Number.NaN, 10),
  ]
}
