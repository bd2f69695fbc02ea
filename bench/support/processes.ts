import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../test/support/free-port.ts'
import type { Bench } from './bench.ts'
import { PUBLIC_URL } from './brands.ts'

/** A running server. */
export type Server = { pid: number; url: string }

/** Servers run on one core, `wrk` on the other. */
const SERVER_CORE = 0
export const LOAD_CORE = 1

/** A service has loaded the code of all requests so long after its start. */
export const CODE_LOADED_MS = 10_000

/** Starts a program on the core of servers, until the benchmark ends. Resolves once it answers at its URL. */
export async function startServer(
  { started }: Pick<Bench, 'started'>,
  url: string,
  program: readonly string[],
): Promise<Server> {
  const child = spawn('taskset', ['-c', String(SERVER_CORE), ...program], { stdio: ['ignore', 'ignore', 'pipe'] })
  started.defer(() => stop(child))
  const errors: Buffer[] = []
  child.stderr.on('data', chunk => errors.push(chunk))
  for (let tries = 0; !(await answers(url)); tries++) {
    if (child.exitCode !== null || tries === 600) throw new Error(`${program.join(' ')}: ${Buffer.concat(errors)}`)
    await sleep(50)
  }
  return { pid: child.pid ?? 0, url }
}

/** Starts the service with a rate limit that no client reaches, and with options for its Node processes. */
export async function startService(
  { bin, started }: Bench,
  store: readonly string[],
  options: readonly string[] = [],
): Promise<Server> {
  const port = String(await freePort())
  const settings = ['--public-url', PUBLIC_URL, '--port', port, '--rate', '1000000/1', '--log', 'warn']
  const program = ['env', `NODE_OPTIONS=${options.join(' ')}`, process.execPath, bin]
  return startServer({ started }, `http://127.0.0.1:${port}`, [...program, 'serve', ...store, ...settings])
}

async function answers(url: string): Promise<boolean> {
  try {
    // Unlike the home page, it reads no guides.
    await (await fetch(`${url}/healthz`)).arrayBuffer()
    return true
  } catch {
    return false
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  child.kill()
  await once(child, 'exit')
}

/** The processor time of a process and its children so far (proc(5): ticks of 10 ms). */
export function processorSeconds(pid: number): number {
  return family(pid).reduce((sum, each) => sum + ticksOf(each), 0) / 100
}

function ticksOf(pid: number): number {
  const [, user = 0, system = 0] =
    /\) \S+(?: \S+){10} (\d+) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.map(Number) ?? []
  return user + system
}

function family(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap(task =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'latin1').split(' ').filter(Boolean).map(Number),
  )
  return [pid, ...children.flatMap(family)]
}

/** The processor time of the live threads of a process so far, in milliseconds, to the nanosecond (Linux). */
export function threadMilliseconds(pid: number): number {
  const nanoseconds = readdirSync(`/proc/${pid}/task`).map(thread =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ')[0]),
  )
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6
}

/** The resident memory of a process, in MiB. */
export function residentMegabytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) / 1024
}
