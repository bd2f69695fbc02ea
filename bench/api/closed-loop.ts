import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { cpuSeconds, LOAD_CORE, type Server } from './processes.ts'

/** What a closed loop of connections got in a while. Of those that failed, some timed out. */
export type Round = {
  requests: number
  failed: number
  timedOut: number
  microseconds: number
  p50: number
  p99: number
  perCpuSecond: number
}

/** Sends the requests of a file over some connections, each as soon as the last was answered. */
export async function closedLoop(
  server: Server,
  requests: string,
  seconds: number,
  connections = 32,
  cores = String(LOAD_CORE),
): Promise<Round> {
  const script = new URL('requests.lua', import.meta.url).pathname
  const before = cpuSeconds(server.pid)
  const { stdout } = await promisify(execFile)(
    'taskset',
    ['-c', cores, 'wrk', '-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, server.url],
    { env: { ...process.env, REQUESTS: requests } },
  )
  const used = cpuSeconds(server.pid) - before
  const line = stdout.split('\n').find(each => each.startsWith('{')) ?? '{}'
  const round = JSON.parse(line)
  return { ...round, perCpuSecond: round.requests / used }
}
