import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { LOAD_CORE, processorSeconds, type Server } from './processes.ts'

/** One run of `wrk`. `failed` includes `timedOut`; `perCpuSecond` is requests per second of the server's processor time. */
export type Round = { requests: number; failed: number; timedOut: number; perCpuSecond: number }

/** Sends the requests of a file; each connection sends the next request once it has a reply. */
export async function load(server: Server, requests: string, seconds: number, connections = 32): Promise<Round> {
  const script = new URL('wrk.lua', import.meta.url).pathname
  const before = processorSeconds(server.pid)
  const { stdout } = await promisify(execFile)(
    'taskset',
    ['-c', String(LOAD_CORE), 'wrk', '-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, server.url],
    { env: { ...process.env, REQUESTS: requests } },
  )
  const used = processorSeconds(server.pid) - before
  const round = JSON.parse(stdout.split('\n').find(line => line.startsWith('{')) ?? '{}')
  return { ...round, perCpuSecond: round.requests / used }
}
