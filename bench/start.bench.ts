import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { serve } from '../test/support/command.ts'
import { freePort } from '../test/support/free-port.ts'
import { type Bench, type Figure, median } from './support/bench.ts'
import { makeBrands, PUBLIC_URL } from './support/brands.ts'
import { threadMilliseconds } from './support/processes.ts'

const ROUNDS = 9

/** The processor time until the first reply with 100 projects, compared with an empty Node process. */
export async function* measure({ bin, folder }: Bench): AsyncGenerator<Figure> {
  const { store, tokens } = await makeBrands(bin, folder, { projects: 10 })
  const args = [...store, '--public-url', PUBLIC_URL]
  const token = tokens.get('brand-1')?.[0] ?? ''
  await firstReply(bin, args, token) // Fills Node's compile cache.
  const starts: { service: Cost; empty: Cost }[] = []
  while (starts.length < ROUNDS) starts.push({ empty: await emptyStart(), service: await firstReply(bin, args, token) })
  const value = (unit: keyof Cost) => median(starts.map(({ service, empty }) => service[unit] / empty[unit]))
  const cost = median(starts.map(({ service }) => service.cpuMs))
  yield {
    name: 'processor time until the first reply, 100 projects ÷ empty Node',
    value: value('cpuMs'),
    unit: 'ratio',
    bound: { atMost: 5 },
    note: `${cost.toFixed(0)} ms; ratio of elapsed time ${value('elapsedMs').toFixed(2)}`,
  }
}

type Cost = { cpuMs: number; elapsedMs: number }

/** Starts a Node that only prints a line. */
async function emptyStart(): Promise<Cost> {
  const began = performance.now()
  const child = spawn(process.execPath, ['-e', 'console.log(); setInterval(() => {}, 1000)'])
  await once(child.stdout, 'data')
  const cost = { cpuMs: threadMilliseconds(child.pid ?? 0), elapsedMs: performance.now() - began }
  child.kill()
  await once(child, 'exit')
  return cost
}

async function firstReply(bin: string, args: readonly string[], token: string): Promise<Cost> {
  const port = String(await freePort())
  const began = performance.now()
  const service = await serve(bin, ...args, '--port', port)
  try {
    const url = `http://127.0.0.1:${port}/beta/workspace/brand-1/project/guide-1`
    const reply = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
    if (reply.status !== 200) throw new Error(`the first reply is ${reply.status}: ${await reply.text()}`)
    await reply.text()
    return { cpuMs: threadMilliseconds(service.pid), elapsedMs: performance.now() - began }
  } finally {
    await service.stop()
  }
}
