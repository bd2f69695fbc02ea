import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'

/** A server under test, on a core of its own. */
export type Server = { pid: number; url: string; stop: () => Promise<void> }

/** How to start a server, and where it then answers. */
export type Command = {
  url: string
  program: string
  args: readonly string[]
  env?: Readonly<Record<string, string>>
  /** As `taskset` has them; `SERVER_CORE`, if they are absent. */
  cores?: string
}

/** The core of servers, and that of what sends requests to them. */
export const SERVER_CORE = 0
export const LOAD_CORE = 1

/** Starts a program on the core of servers, if no others are named; it answers at its address once this resolves. */
export async function startServer({
  url,
  program,
  args,
  env = {},
  cores = String(SERVER_CORE),
}: Command): Promise<Server> {
  const child = spawn('taskset', ['-c', cores, program, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
  })
  const complaint: Buffer[] = []
  child.stderr.on('data', chunk => complaint.push(chunk))
  for (let tries = 0; !(await answers(url)); tries++) {
    if (child.exitCode !== null || tries === 600) throw new Error(`${program}: ${Buffer.concat(complaint)}`)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  return { pid: child.pid ?? 0, url, stop: () => stop(child) }
}

async function answers(url: string): Promise<boolean> {
  try {
    await (await fetch(url)).arrayBuffer()
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

/** The CPU time that a process and its children have used so far, in seconds (proc(5): ticks of 10 ms). */
export function cpuSeconds(pid: number): number {
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

/** The resident memory of a process, now and at its highest, and that of those it started, in MiB (proc(5)). */
export function memoryOf(pid: number): { now: number; peak: number; helpers: number } {
  const [own, ...helpers] = family(pid).map(each => readFileSync(`/proc/${each}/status`, 'latin1'))
  const megabytes = (name: string, status = '') => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
  return {
    now: megabytes('VmRSS', own),
    peak: megabytes('VmHWM', own),
    helpers: helpers.reduce((sum, status) => sum + megabytes('VmRSS', status), 0),
  }
}
