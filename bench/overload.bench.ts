import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { cpuSeconds } from './api/processes.ts'
import type { Figure } from './run.ts'

/** How many connections find the peak, and how many offer five times as much. */
const [FEW, MANY] = [16, 200]

/**
 * What a server goes on answering while five times its peak is offered. Those who ask need processors, too, so answers are
 * counted by processor time of the server. A request takes a millisecond or so.
 */
export async function measure(): Promise<Figure[]> {
  const load = loadavg()[0] ?? 0
  const isNoisy = load > availableParallelism() / 2
  const note = isNoisy ? { note: `too noisy: load average ${load.toFixed(1)} before it began` } : {}
  const server = program('server')
  const { pid = 0 } = server
  try {
    const [port] = await once(server.stdout.setEncoding('utf8'), 'data')
    const ask = (perSecond: number, connections: number, seconds: number) =>
      asking(pid, [String(Number(port)), String(perSecond), String(connections), String(seconds * 1000)])
    await ask(0, FEW, 1)
    const peak = await ask(0, FEW, 3)
    const calm = await ask(peak.perSecond * 0.3, FEW, 3)
    const over = await ask(peak.perSecond * 5, MANY, 6)
    await ask(peak.perSecond * 0.3, FEW, 2)
    const after = await ask(peak.perSecond * 0.3, FEW, 3)
    return [
      {
        name: 'answers in a second of the processor, five times the peak offered ÷ at the peak',
        value: over.perCpuSecond / peak.perCpuSecond,
        unit: 'ratio',
        wanted: { atLeast: 0.8 },
        ...note,
      },
      {
        name: 'p99 of the refusals meanwhile (503)',
        value: over.p99(503),
        unit: 'ms',
        wanted: { atMost: 1000 },
        ...note,
      },
      {
        name: 'p99 of answers from two seconds after it on ÷ before',
        value: after.p99(200) / calm.p99(200),
        unit: 'ratio',
        wanted: { atMost: 2 },
        ...note,
      },
      { name: 'refusals from two seconds after it on', value: after.count(503), unit: 'count', wanted: { atMost: 0 } },
    ]
  } finally {
    server.kill()
  }
}

type Replies = Readonly<Partial<Record<number, { count: number; p99: number }>>>

async function asking(pid: number, args: readonly string[]) {
  const before = cpuSeconds(pid)
  const began = performance.now()
  const replies: Replies = JSON.parse(await text(program('load', args).stdout))
  const answers = replies[200]?.count ?? 0
  return {
    perSecond: (answers * 1000) / (performance.now() - began),
    perCpuSecond: answers / (cpuSeconds(pid) - before),
    count: (status: number) => replies[status]?.count ?? 0,
    p99: (status: number) => replies[status]?.p99 ?? 0,
  }
}

function program(name: string, args: readonly string[] = []) {
  const path = join(import.meta.dirname, `overload/${name}.ts`)
  return spawn(process.execPath, [path, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
}
