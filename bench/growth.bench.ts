import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openStore } from '../src/store/store.ts'
import { type Running, serve } from '../test/support/command.ts'
import { multiplyWorkspace } from '../test/support/many-projects.ts'
import { type Line, plot } from './growth/plot.ts'
import { pagePath, writeLargeBrand, writeManyProjects } from './large-brand.ts'
import { publishFolder, unpackPackage } from './package.ts'
import { cpuMs } from './processor-time.ts'
import { median } from './quantile.ts'
import type { Figure } from './run.ts'

const SIZES = [1, 10, 100, 1000, 10_000]
const ROUNDS = 5
const ASKED = 1000
const AT_ONCE = 16
const PLOT = join(dirname(import.meta.dirname), 'docs/images/growth.svg')

/** What one reply costs as projects and pages grow in number; draws it into the documentation. */
export async function* measure(): AsyncGenerator<Figure> {
  const folder = mkdtempSync(join(tmpdir(), 'housestyle-bench-'))
  const open: Service[] = []
  try {
    const bin = unpackPackage(folder)
    const start = async (store: Store) => {
      const service = { ...store, ...(await serve(bin, ...store.args, '--rate', 'off')), first: 0, again: [] }
      open.push(service)
      return service
    }
    for (const size of SIZES) await start(await storeOfProjects(bin, join(folder, `projects-${size}`), size))
    for (const size of SIZES.slice(1)) await start(await storeOfPages(bin, join(folder, `pages-${size}`), size))
    for (const service of open) service.first = await firstReplies(service)
    for (let round = 0; round <= ROUNDS; round++)
      for (const service of open) {
        const cost = await costOf(service, Array<string>(ASKED).fill(service.pages[0] ?? ''))
        if (round > 0) service.again.push(cost)
      }
    const [projects, pages] = ['projects', 'pages'].map(kind => open.filter(service => service.kind === kind))
    // Ten pages are too few to warm up the code that makes their replies.
    const warm = pages?.filter(({ size }) => size >= 100)
    const lines = [
      { name: 'a reply, by projects of the store', points: pointsOf(projects, ({ again }) => median(again)) },
      { name: 'a reply, by pages of the project', points: pointsOf(pages, ({ again }) => median(again)) },
      { name: 'the first reply of a page, by pages of the project', points: pointsOf(warm, ({ first }) => first) },
    ]
    writeFileSync(PLOT, plot('Processor time of one reply', 'µs', lines))
    for (const line of lines) yield growthOf(line)
  } finally {
    for (const service of open) await service.stop()
    rmSync(folder, { recursive: true })
  }
}

/** A published store, and addresses of pages in it. */
type Store = { kind: string; size: number; args: string[]; token: string; pages: string[] }

/** First replies and later ones of it, in microseconds of processor time each. */
type Service = Store & Running & { first: number; again: number[] }

/** Projects of two pages, ten in a workspace; all workspaces but one are copies of it. */
async function storeOfProjects(bin: string, folder: string, projects: number): Promise<Store> {
  const brand = join(folder, 'many')
  writeManyProjects(brand, Math.min(projects, 10))
  const store = await publishFolder(bin, brand, join(folder, 'data'))
  const opened = await openStore(join(folder, 'data'))
  if (projects > 10) await multiplyWorkspace(opened.database, 'many', projects / 10 - 1)
  await opened.close()
  return { ...store, kind: 'projects', size: projects, pages: ['many/project/p0/page/mark'] }
}

async function storeOfPages(bin: string, folder: string, pages: number): Promise<Store> {
  const brand = join(folder, 'large')
  writeLargeBrand(brand, { pages, pictures: 1 })
  const store = await publishFolder(bin, brand, join(folder, 'data'))
  const ids = Array.from({ length: Math.min(pages, 200) }, (_, at) => pagePath(at).replace(/^pages\/|\.md$/g, ''))
  return { ...store, kind: 'pages', size: pages, pages: ids.map(id => `large/project/guide/page/${id}`) }
}

/** What the first reply of a page costs, as the median of half of the pages: the others warm up the code before. */
async function firstReplies(service: Service): Promise<number> {
  const costs: number[] = []
  for (const page of service.pages) costs.push(await costOf(service, [page]))
  return median(costs.slice(costs.length >> 1))
}

/** The processor time of the service for each of these replies, in microseconds. */
async function costOf({ baseUrl, pid, token }: Service, pages: readonly string[]): Promise<number> {
  const before = cpuMs(pid)
  let next = 0
  const ask = async () => {
    for (let page = pages[next++]; page !== undefined; page = pages[next++]) {
      const reply = await fetch(`${baseUrl}/workspace/${page}`, { headers: { authorization: `Bearer ${token}` } })
      if (reply.status !== 200) throw new Error(`${page} answers ${reply.status}: ${await reply.text()}`)
      await reply.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, pages.length) }, ask))
  return (1000 * (cpuMs(pid) - before)) / pages.length
}

function pointsOf(services: readonly Service[] = [], cost: (service: Service) => number): Line['points'] {
  return services.map(service => [service.size, cost(service)])
}

/** The largest size beside the smallest. */
function growthOf({ name, points }: Line): Figure {
  const [first, last] = [points.at(0), points.at(-1)]
  const value = (last?.[1] ?? Number.NaN) / (first?.[1] ?? Number.NaN)
  return { name: `${name}: with ${last?.[0]} ÷ with ${first?.[0]}`, value, unit: 'ratio', wanted: { atMost: 1.3 } }
}
