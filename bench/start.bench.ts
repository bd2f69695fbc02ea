import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { serve } from '../test/support/command.ts'
import { pagePath, writeLargeBrand, writeManyProjects } from './large-brand.ts'
import { publishFolder, unpackPackage } from './package.ts'
import { cpuMs } from './processor-time.ts'
import { median } from './quantile.ts'
import type { Figure } from './run.ts'

const ROUNDS = 9
const PAGES = 1000
/** What a service does once after its start, whether it is asked or not, is over then. */
const SETTLED_MS = 2000
const example = join(dirname(import.meta.dirname), 'examples/acme')

/** How soon the built package answers beside an empty start of Node, what it holds in memory then, and what a first reply costs. */
export async function* measure(): AsyncGenerator<Figure> {
  const folder = mkdtempSync(join(tmpdir(), 'housestyle-bench-'))
  try {
    const bin = unpackPackage(folder)
    for (const [projects, atMost] of [
      [100, 3],
      [10_000, 8],
    ] as const) {
      writeManyProjects(join(folder, 'many'), projects)
      const store = await publishFolder(bin, join(folder, 'many'), join(folder, `store-${projects}`))
      const { starts, empty } = await timeStarts(bin, store.args, { path: '/beta/workspace/many', token: store.token })
      const value = median(starts.map(({ ms }) => ms)) / median(empty)
      const name = `first reply, store of ${projects} projects ÷ an empty start of Node`
      yield { name, value, unit: 'ratio', wanted: { atMost } }
      if (projects > 100) continue
      const megabytes = median(starts.map(start => start.megabytes))
      yield { name: 'memory when idle (RSS)', value: megabytes, unit: 'MB', wanted: { atMost: 100 } }
    }
    const firsts: number[] = []
    for (let round = 0; round <= ROUNDS; round++)
      firsts.push((await time(bin, [example, '--data', join(folder, `empty-${round}`)], { path: '/readyz' })).ms)
    const name = 'first reply, folder and empty store'
    yield { name, value: median(firsts.slice(1)), unit: 'ms', wanted: { atMost: 1000 } }
    yield await firstReplies(bin, folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

type Asked = { path: string; token?: string }
type Start = { ms: number; megabytes: number }

/** In turn. The first round fills the compile cache and the caches of the disk, and is not counted. */
async function timeStarts(bin: string, args: string[], asked: Asked): Promise<{ starts: Start[]; empty: number[] }> {
  const starts: Start[] = []
  const empty: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const began = performance.now()
    await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit')
    const ms = performance.now() - began
    const start = await time(bin, args, asked)
    if (round === 0) continue
    empty.push(ms)
    starts.push(start)
  }
  return { starts, empty }
}

/** Starts the service, asks until the first 200, and a second later looks at the memory of its process. */
async function time(bin: string, args: string[], { path, token = '' }: Asked): Promise<Start> {
  const began = performance.now()
  const service = await serve(bin, ...args)
  try {
    const reply = await fetch(service.url + path, { headers: { authorization: `Bearer ${token}` } })
    const ms = performance.now() - began
    if (reply.status !== 200) throw new Error(`${path} answers ${reply.status}: ${await reply.text()}`)
    await reply.text()
    await sleep(1000)
    const kilobytes = Number(execFileSync('ps', ['-o', 'rss=', '-p', `${service.pid}`]))
    return { ms, megabytes: kilobytes / 1024 }
  } finally {
    await service.stop()
  }
}

/** What the first reply of each of many pages costs a service that has just started. */
async function firstReplies(bin: string, folder: string): Promise<Figure> {
  const brand = join(folder, 'large')
  writeLargeBrand(brand, { pages: PAGES, pictures: 1 })
  const { args, token } = await publishFolder(bin, brand, join(folder, 'store-large'))
  const service = await serve(bin, ...args, '--rate', 'off')
  try {
    await sleep(SETTLED_MS)
    const costs: number[] = []
    for (let at = 0; at < PAGES; at++) {
      const page = pagePath(at).replace(/^pages\/|\.md$/g, '')
      const before = cpuMs(service.pid)
      const reply = await fetch(`${service.baseUrl}/workspace/large/project/guide/page/${page}`, {
        headers: { authorization: `Bearer ${token}` },
      })
      if (reply.status !== 200) throw new Error(`${page} answers ${reply.status}: ${await reply.text()}`)
      await reply.text()
      costs.push(cpuMs(service.pid) - before)
    }
    const value = costs.toSorted((a, b) => a - b)[Math.floor(0.99 * costs.length)] ?? Number.NaN
    const name = `processor time of the first reply of a page, 99th percentile of ${PAGES}`
    return { name, value, unit: 'ms', wanted: { atMost: 2 } }
  } finally {
    await service.stop()
  }
}
