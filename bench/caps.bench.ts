import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { openService } from '../src/compose/open-service.ts'
import { splitTarget } from '../src/exchange/target.ts'
import { openStore } from '../src/store/store.ts'
import { openMetrics } from '../src/telemetry/metrics.ts'
import { serve } from '../test/support/command.ts'
import { keepCoresAwake } from './awake.ts'
import { writeBrandsAtCaps } from './brand-at-caps.ts'
import { longestTurn, threadMs } from './longest-turn.ts'
import { quantile } from './quantile.ts'
import type { Figure } from './run.ts'

const root = dirname(import.meta.dirname)
const bin = join(root, 'bin/housestyle.js')
const CLIENTS = '32'
/** How long they ask before `/healthz` is asked too, and how long it is. */
const BEFORE_MS = 300
const ASKED_MS = 1500

/** Every kind of address at its largest. */
const ADDRESSES = [
  ...below('', ['/', '/?page=20', '/many', '/many?page=20', '/sitemap.xml', '/robots.txt', '/docs', '/openapi.json']),
  ...below('/caps/guide', ['', '/p5000', '/p5000.md', '/large', '/large.md', '/links', '/links.md', '/nothing']),
  ...below('/caps/guide/-', ['/pages', '/pages?page=10', '/colors', '/colors?page=10', '/type', '/type.css']),
  ...below('/caps/guide/-', ['/contrast/colour-5000', '/contrast/colour-5000?page=30', '/files', '/files/pictures-3']),
  ...below('/caps/guide', ['/-/files.zip', '/-/search?q=colour', '/llms.txt', '/llms-full.txt', '/sitemap.xml']),
  ...below('/caps/names', ['', '/p5000', '/p5000.md', '/nothing', '/llms.txt', '/llms-full.txt', '/sitemap.xml']),
  ...below('/caps/names/-', ['/pages', '/pages?page=10', '/colors', '/contrast/c500', '/contrast/c500?page=10']),
  ...below('/caps/names/-', ['/type', '/type.css', '/files', '/files/pictures-3', '/files.zip', '/search?q=page']),
  ...below('/caps/fonts', ['', '/-/type', '/-/type?page=30', '/-/type.css', '/-/files', '/-/files.css']),
  ...below('/beta/workspace/caps/project/guide', ['', '/pages', '/page/large', '/page/links', '/styles', '/files']),
  ...below('/beta/workspace/caps/project', ['/names/pages', '/names/styles', '/names/files', '/fonts/files']),
  ...below('/beta/workspace/many', ['', '/projects']),
]

function below(place: string, paths: readonly string[]): string[] {
  return paths.map(path => place + path)
}

/**
 * How long others wait while each kind of address of guides at their caps is first made, and while 32 clients ask for it.
 * Of the first, the longest turn of the event loop is the steadier figure: it counts processor time alone, while the
 * replies to `/healthz` wait for whatever else the machine does.
 */
export async function* measure(): AsyncGenerator<Figure> {
  const folder = mkdtempSync(join(tmpdir(), 'housestyle-bench-'))
  const data = join(folder, 'data')
  const store = ['--data', data]
  using _awake = keepCoresAwake()
  try {
    const { caps, many } = writeBrandsAtCaps(folder)
    for (const brand of [caps, many, join(root, 'examples/acme')]) await command('import', brand, ...store)
    await command('publish', '--all', ...store)
    const issued = ['caps', 'many'].map(async name => [name, (await command('token', 'issue', name, ...store)).trim()])
    const tokens: Record<string, string> = Object.fromEntries(await Promise.all(issued))
    for (const path of ADDRESSES) {
      const token = path.startsWith('/beta/') ? tokens[path.split('/')[3] ?? ''] : undefined
      yield* await turnFigures(data, path, token)
      yield* await waitFigures(store, path, token)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Without the limit that tests have: to import as much as there may be takes half a minute, and more on a busy machine. */
async function command(...args: string[]): Promise<string> {
  return (await promisify(execFile)(process.execPath, [bin, ...args])).stdout
}

/** What a service has made before, so that its code is loaded; the API is asked for what is not there. */
function madeBefore(token: string | undefined): string[] {
  const pages = ['', '/logo', '/-/colors', '/-/files'].map(below => `/acme/guidelines${below}`)
  return token === undefined ? pages : [...pages, '/beta/workspace/nothing']
}

function headersFor(token: string | undefined) {
  return { 'accept-encoding': 'br', accept: 'text/html,*/*', ...(token && { authorization: `Bearer ${token}` }) }
}

/** In this process, without a socket; of two services, each of which has read nothing of it before. */
async function turnFigures(data: string, path: string, token: string | undefined): Promise<Figure[]> {
  const longest = await withService(data, token, ask => longestTurn(() => ask(path)))
  const { total, bytes } = await withService(data, token, async ask => {
    const before = threadMs()
    let total: number | undefined
    await ask(path, {
      began: () => {
        total ??= threadMs() - before
      },
    })
    return { total: total ?? Number.NaN, bytes: await ask(path, { headers: { 'accept-encoding': 'identity' } }) }
  })
  return [
    { name: `${path}: longest turn`, value: longest, unit: 'ms', wanted: { atMost: 10 } },
    { name: `${path}: all turns until its first byte`, value: total, unit: 'ms', wanted: { atMost: 100 } },
    { name: `${path}: bytes`, value: bytes, unit: 'count', wanted: { atMost: maxBytes(path) } },
  ]
}

/** Asks for a target, and gives how many bytes the reply has. `began` is called when there are some of them. */
type Ask = (target: string, more?: { headers?: Record<string, string>; began?: () => void }) => Promise<number>

async function withService<Value>(
  data: string,
  token: string | undefined,
  work: (ask: Ask) => Promise<Value>,
): Promise<Value> {
  const store = await openStore(data)
  const ignore = () => undefined
  const { service, close } = await openService({
    settings: { cors: [], trust: [], trustedProxies: [], cache: 64 << 20, readyGrace: 60 },
    store,
    metrics: openMetrics(),
    publicUrl: 'http://brand.test',
    log: { error: ignore, warn: ignore, info: ignore, debug: ignore },
    clock: () => Date.now(),
    ticks: () => performance.now(),
  })
  const ask: Ask = async (target, { headers: more, began } = {}) => {
    const split = splitTarget(target)
    if (!split) throw new Error(`${target} is no target`)
    const headers = { ...headersFor(token), ...more }
    const { body } = await service({ method: 'GET', ...split, headers, authorizations: token ? 1 : 0, address: '' })
    let length = 0
    const chunks = !body || body instanceof Uint8Array ? [body ?? ''] : body.chunks(new AbortController().signal)
    for await (const chunk of chunks) {
      began?.()
      length += chunk.length
    }
    return length
  }
  for (const before of madeBefore(token)) await ask(before)
  const value = await work(ask)
  await close()
  await store.close()
  return value
}

/** Archives are as large as what they hold; pages of contrast are small, unless each name on them is a thousand letters. */
function maxBytes(path: string): number {
  if (path.endsWith('.zip')) return Number.POSITIVE_INFINITY
  return path.startsWith('/caps/guide/-/contrast/') ? 100_000 : 32 << 20
}

/** In processes of their own: the service, and the clients of which there are many. */
async function waitFigures(store: readonly string[], path: string, token: string | undefined): Promise<Figure[]> {
  const service = await serve(bin, ...store, '--rate', 'off')
  try {
    const ask = (target: string) => took(service.url + target, token)
    for (const before of [...madeBefore(token), '/healthz']) await ask(before)
    const first = Math.max(...(await waitsDuring(service.url, ask(path))))
    const program = join(import.meta.dirname, 'ask-again.ts')
    const clients = spawn(process.execPath, [program, CLIENTS, service.url + path, ...(token ? [token] : [])])
    await sleep(BEFORE_MS)
    const waits = await waitsDuring(service.url, sleep(ASKED_MS))
    clients.kill()
    await once(clients, 'exit')
    return [
      { name: `${path}: /healthz while it is first made`, value: first, unit: 'ms', wanted: { atMost: 10 } },
      {
        name: `${path}: 99 of 100 of /healthz while ${CLIENTS} clients ask for it`,
        value: quantile(waits, 0.99),
        unit: 'ms',
        wanted: { atMost: 100 },
      },
    ]
  } finally {
    await service.stop()
  }
}

/** How long `/healthz` takes, asked one after the other until something else is done. */
async function waitsDuring(url: string, done: Promise<unknown>): Promise<number[]> {
  const waits: number[] = []
  let isDone = false
  const end = done.finally(() => {
    isDone = true
  })
  while (!isDone) {
    waits.push(await took(`${url}/healthz`, undefined))
    await sleep(1)
  }
  await end
  return waits
}

const agent = new Agent({ keepAlive: true })

function took(address: string, token: string | undefined): Promise<number> {
  const began = performance.now()
  return new Promise((resolve, reject) => {
    get(address, { agent, headers: headersFor(token) }, reply => {
      reply.resume()
      reply.once('close', () => resolve(performance.now() - began))
    }).once('error', reject)
  })
}
