import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { command, serve } from '../test/support/command.ts'
import { freePort } from '../test/support/free-port.ts'
import { type Bench, type Figure, median } from './support/bench.ts'
import { makeBrands, PUBLIC_URL } from './support/brands.ts'
import { threadMilliseconds } from './support/processes.ts'

const ROUNDS = 9

/**
 * The processor time until the first reply with 100 projects, compared with an empty Node process, and the time of the
 * first page of a guide with fonts.
 */
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
  yield await firstPages(bin, join(folder, 'acme'))
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

/** The time from the start of Acme's service until its first page, which waits for facts of three fonts. */
async function firstPages(bin: string, data: string): Promise<Figure> {
  await command(bin, 'import', ACME, '--data', data)
  await command(bin, 'publish', 'acme/guidelines', '--data', data)
  const times: number[] = []
  const ratios: number[] = []
  while (times.length < ROUNDS) {
    const empty = await emptyStart()
    const port = String(await freePort())
    const service = await serve(bin, '--data', data, '--port', port)
    const began = performance.now()
    const reply = await fetch(`http://127.0.0.1:${port}/acme/guidelines`)
    await reply.text()
    const elapsedMs = performance.now() - began
    times.push(elapsedMs)
    ratios.push(elapsedMs / empty.elapsedMs)
    await service.stop()
    if (reply.status !== 200) throw new Error(`the first page is ${reply.status}`)
  }
  return {
    name: 'first page with fonts after the start ÷ empty Node',
    value: median(ratios),
    unit: 'ratio',
    bound: { atMost: 25 },
    note: `${median(times).toFixed(0)} ms; slowest ${Math.max(...times).toFixed(0)} ms`,
  }
}

const ACME = join(import.meta.dirname, '../examples/acme')

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
