import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench, Figure } from './support/bench.ts'
import { makeBrands } from './support/brands.ts'
import { type Server, startService, threadMilliseconds } from './support/processes.ts'

const WARM_CALLS = 150
const CALLS = 300
const AGENTS = 50
/** The pause of an agent between two calls, in which its model reads the reply. */
const PAUSE_MS = 1000
const API_REQUESTS = 1500

/** The processor time of an agent's warm call, and the latency of the API while 50 agents call tools. */
export async function* measure(bench: Bench): AsyncGenerator<Figure> {
  const { store, tokens } = await makeBrands(bench.bin, bench.folder, { projects: 1, hasLarge: true })
  const service = await startService(bench, store)
  const target = { url: service.url, token: tokens.get('large')?.[0] ?? '' }
  for (const name of NAMES) yield await warmCall(service, target, name)
  yield await latency(target)
}

const ARGUMENTS = {
  search: { query: 'colour of headings', project: 'guide' },
  get_page: { project: 'guide', page: 's1/p1' },
  get_styles: { project: 'guide', kind: 'colors' },
} as const
const NAMES = ['search', 'get_page', 'get_styles'] as const

/** The address of a service, and a token for its large workspace. */
type Target = { url: string; token: string }

async function warmCall({ pid }: Server, target: Target, name: keyof typeof ARGUMENTS): Promise<Figure> {
  for (let call = 0; call < WARM_CALLS; call++) await callTool(target, name)
  const before = threadMilliseconds(pid)
  for (let call = 0; call < CALLS; call++) await callTool(target, name)
  const value = (threadMilliseconds(pid) - before) / CALLS
  return { name: `processor time of a warm call of ${name}`, value, unit: 'ms', bound: { atMost: 3 } }
}

/** The 99th percentile of sequential API requests, with agents and without. */
async function latency(target: Target): Promise<Figure> {
  await apiP99(target)
  const alone = await apiP99(target)
  const done = new AbortController()
  const agents = Array.from({ length: AGENTS }, (_, at) => agent(target, at, done.signal))
  const busy = await apiP99(target)
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

async function agent(target: Target, at: number, done: AbortSignal): Promise<void> {
  await sleep((at / AGENTS) * PAUSE_MS)
  for (let call = at; !done.aborted; call++) {
    await callTool(target, NAMES[call % NAMES.length] ?? 'search')
    await sleep(PAUSE_MS)
  }
}

async function apiP99({ url, token }: Target): Promise<number> {
  const times: number[] = []
  for (let request = 0; request < API_REQUESTS; request++) {
    const startedMs = performance.now()
    const reply = await fetch(`${url}/beta/workspace/large/project/guide/page/s1/p1`, {
      headers: { authorization: `Bearer ${token}` },
    })
    await reply.arrayBuffer()
    times.push(performance.now() - startedMs)
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN
}

async function callTool({ url, token }: Target, name: keyof typeof ARGUMENTS): Promise<void> {
  const reply = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: ARGUMENTS[name] } }),
  })
  const text = await reply.text()
  if (reply.status !== 200 || text.includes('"isError":true')) throw new Error(`${name}: ${reply.status} ${text}`)
}
