import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Brands, makeBrands, named, PUBLIC_URL, WORKSPACES } from './api/brands.ts'
import { closedLoop } from './api/closed-loop.ts'
import { memoryOf, type Server } from './api/processes.ts'
import { startProduct } from './api/product.ts'
import { apiRequests } from './api/subjects.ts'
import { type Request, writeRequests } from './api/wire.ts'
import { unpackPackage } from './package.ts'
import type { Figure, Options } from './run.ts'

/** For each of the ten workspaces. */
const MANY = { projects: 1000, pages: 2, files: 1 }
const CHUNK_SECONDS = 5
/** So few connections that no page is refused because too many wait to be made. */
const FEW = 4
/** What comes before this share of the requests fills caches, and says nothing of what is lost for each request. */
const WARM = 0.25

/**
 * The resident memory of a service with 10,000 projects: idle, while every page of their website is read for the first
 * time with the traffic of the API beside it, and over as many requests as the command line says.
 */
export async function* measure({ requests }: Options): AsyncGenerator<Figure> {
  const folder = mkdtempSync(join(tmpdir(), 'housestyle-bench-'))
  try {
    await using started = new AsyncDisposableStack()
    const bin = unpackPackage(folder)
    const brands = await makeBrands(bin, folder, MANY)
    const server = started.adopt(await startProduct(bin, brands), ({ stop }) => stop())
    await sleep(5000)
    const idle = memoryOf(server.pid).now
    yield { name: 'memory when idle, 10,000 projects (RSS)', value: idle, unit: 'MB', wanted: { atMost: 130 } }
    const api = await apiRequests(server.url, brands)
    const views = websiteRequests(brands)
    const first = await writeRequests(join(folder, 'first'), server.url, mixed(views, api, 1))
    const load = await read(server, first, 2 * views.length, FEW)
    const peak = Math.max(...load.map(({ peak }) => peak))
    yield {
      name: `more at its highest, while ${views.length} addresses of the website are read for the first time`,
      value: peak - idle,
      unit: 'MB',
      wanted: { atMost: 128 },
    }
    yield {
      name: 'its helper processes together, meanwhile',
      value: Math.max(...load.map(({ helpers }) => helpers)),
      unit: 'MB',
      wanted: { atMost: 200 },
    }
    const steady = await writeRequests(join(folder, 'steady'), server.url, mixed(views.slice(0, AGAIN), api, 49))
    const long = await read(server, steady, requests, 32)
    console.log(`  resident memory in MB: ${long.map(({ now }) => now.toFixed(0)).join(' ')}`)
    yield {
      name: `what memory grew by over ${long.at(-1)?.requests} requests (a line through it)`,
      value: growth(long.filter(each => each.requests >= WARM * requests)),
      unit: 'MB',
      wanted: { atMost: 10 },
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Each view, and behind it so many requests of the API. */
function mixed(views: readonly Request[], api: readonly Request[], count: number): Request[] {
  return views.flatMap((view, at) => [
    view,
    ...Array.from({ length: count }, (_, each) => api[(at * count + each) % api.length] ?? view),
  ])
}

/** How many views are read again and again. */
const AGAIN = 2000

/** The first and the second page of each project, as a browser asks for them. */
function websiteRequests({ size }: Brands): Request[] {
  const headers = { Host: new URL(PUBLIC_URL).host, 'accept-encoding': 'br', accept: 'text/html,*/*' }
  const brands = named('brand', WORKSPACES)
  const guides = named('guide', size.projects).flatMap(guide => brands.map(brand => `/${brand}/${guide}`))
  return guides.flatMap(guide => [guide, `${guide}/page-1`]).map(path => ({ path, headers }))
}

type Memory = { requests: number } & ReturnType<typeof memoryOf>

/** Sends requests until there were enough, and looks at the memory every few seconds. */
async function read(server: Server, file: string, requests: number, connections: number): Promise<Memory[]> {
  const found: Memory[] = []
  for (let sent = 0; sent < requests; ) {
    const round = await closedLoop(server, file, CHUNK_SECONDS, connections)
    if (round.failed > 0) throw new Error(`${round.failed} of ${round.requests} requests failed`)
    sent += round.requests
    found.push({ requests: sent, ...memoryOf(server.pid) })
  }
  return found
}

/** What the line that lies closest to the points rises by between the first and the last of them. */
function growth(points: readonly Memory[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(points.map(each => each.requests)), mean(points.map(({ now }) => now))]
  const slope =
    mean(points.map(each => (each.requests - x) * (each.now - y))) / mean(points.map(each => (each.requests - x) ** 2))
  return slope * ((points.at(-1)?.requests ?? 0) - (points[0]?.requests ?? 0))
}
