import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Figure } from './run.ts'
import { type Brands, makeBrands } from './support/brands.ts'
import { unpackPackage } from './support/package.ts'
import { type Server, startService, threadMilliseconds } from './support/processes.ts'

const PROJECTS = 3
const WARM_CALLS = 150
const CALLS = 300
const AGENTS = 50
/** The pause of an agent between two calls, in which its model reads the reply. */
const PAUSE_MS = 1000
const API_REQUESTS = 1500

/** The processor time of an agent's warm call, and the latency of the API while 50 agents call tools. */
export async function* measure(): AsyncGenerator<Figure> {
  const folder = mkdtempSync(join(tmpdir(), 'housestyle-bench-'))
  try {
    await using started = new AsyncDisposableStack()
    const bin = unpackPackage(folder)
    const brands = await makeBrands(bin, join(folder, 'brands'), PROJECTS)
    const service = started.adopt(await startService(bin, brands), ({ stop }) => stop())
    for (const name of ['search', 'get_page', 'get_styles'] as const) yield await warmCall(service, brands, name)
    yield await latency(service, brands)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const ARGUMENTS = {
  search: { query: 'colour of headings', project: 'guide-1' },
  get_page: { project: 'guide-1', page: 'page-1' },
  get_styles: { project: 'guide-1', kind: 'colors' },
} as const

async function warmCall(service: Server, brands: Brands, name: keyof typeof ARGUMENTS): Promise<Figure> {
  const token = brands.tokens.get('brand-1')?.[0] ?? ''
  for (let call = 0; call < WARM_CALLS; call++) await callTool(service, token, name)
  const before = threadMilliseconds(service.pid)
  for (let call = 0; call < CALLS; call++) await callTool(service, token, name)
  const value = (threadMilliseconds(service.pid) - before) / CALLS
  return { name: `processor time of a warm call of ${name}`, value, unit: 'ms', bound: { atMost: 2 } }
}

/** The 99th percentile of sequential API requests, with agents and without. */
async function latency(service: Server, brands: Brands): Promise<Figure> {
  const token = brands.tokens.get('brand-1')?.[0] ?? ''
  await apiP99(service, token)
  const alone = await apiP99(service, token)
  const done = new AbortController()
  const agents = Array.from({ length: AGENTS }, (_, at) => agent(service, token, at, done.signal))
  const busy = await apiP99(service, token)
  done.abort()
  await Promise.all(agents)
  return {
    name: `p99 of the API with ${AGENTS} agents ÷ without`,
    value: busy / alone,
    unit: 'ratio',
    bound: { atMost: 2 },
    note: `${busy.toFixed(2)} ÷ ${alone.toFixed(2)} ms`,
  }
}

async function agent(service: Server, token: string, at: number, done: AbortSignal): Promise<void> {
  const names = ['search', 'get_page', 'get_styles'] as const
  await sleep((at / AGENTS) * PAUSE_MS)
  for (let call = at; !done.aborted; call++) {
    await callTool(service, token, names[call % names.length] ?? 'search')
    await sleep(PAUSE_MS)
  }
}

async function apiP99(service: Server, token: string): Promise<number> {
  const times: number[] = []
  for (let request = 0; request < API_REQUESTS; request++) {
    const startedMs = performance.now()
    const reply = await fetch(`${service.url}/beta/workspace/brand-1/project/guide-1/styles`, {
      headers: { authorization: `Bearer ${token}` },
    })
    await reply.arrayBuffer()
    times.push(performance.now() - startedMs)
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN
}

async function callTool(service: Server, token: string, name: keyof typeof ARGUMENTS): Promise<void> {
  const reply = await fetch(`${service.url}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: ARGUMENTS[name] } }),
  })
  const text = await reply.text()
  if (reply.status !== 200 || text.includes('"isError":true')) throw new Error(`${name}: ${reply.status} ${text}`)
}
