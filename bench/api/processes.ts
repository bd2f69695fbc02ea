import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'

/** A server under test, on a core of its own. */
export type Server = { pid: number; url: string; stop: () => Promise<void> }

/** The core of servers, and that of what sends requests to them. */
const SERVER_CORE = 0
export const LOAD_CORE = 1

/** Starts a program on the core of servers, which answers at the address given once this resolves. */
export async function startServer(url: string, program: string, ...args: string[]): Promise<Server> {
  const child = spawn('taskset', ['-c', String(SERVER_CORE), program, ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
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
function cpuSeconds(pid: number): number {
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

/** What a closed loop of connections got in a while. */
export type Round = {
  requests: number
  failed: number
  microseconds: number
  p50: number
  p99: number
  perCpuSecond: number
}

/** Sends the requests of a file over 32 connections, each as soon as the last was answered. */
export async function closedLoop(server: Server, requests: string, seconds: number): Promise<Round> {
  const script = new URL('requests.lua', import.meta.url).pathname
  const before = cpuSeconds(server.pid)
  const { stdout } = await promisify(execFile)(
    'taskset',
    ['-c', String(LOAD_CORE), 'wrk', '-t1', '-c32', `-d${seconds}s`, '-s', script, server.url],
    { env: { ...process.env, REQUESTS: requests } },
  )
  const used = cpuSeconds(server.pid) - before
  const line = stdout.split('\n').find(each => each.startsWith('{')) ?? '{}'
  const round = JSON.parse(line)
  return { ...round, perCpuSecond: round.requests / used }
}
