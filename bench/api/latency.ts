import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { keepCoresAwake } from '../awake.ts'
import { median } from '../quantile.ts'
import type { Round } from './closed-loop.ts'
import { LOAD_CORE, type Server } from './processes.ts'

/** How long replies take, in milliseconds, if so many requests are due each second. */
export type Latency = { perSecond: number; p50: number; p99: number; p999: number; failed: number }

/** Sends the requests of a file at a fixed rate, whether or not earlier ones were answered. */
export async function openLoop(
  { url }: Server,
  requests: string,
  perSecond: number,
  seconds: number,
): Promise<Latency> {
  using _awake = keepCoresAwake()
  const args = [
    join(import.meta.dirname, 'open-loop.ts'),
    new URL(url).port,
    requests,
    String(perSecond),
    String(seconds),
  ]
  const { stdout } = await promisify(execFile)('taskset', ['-c', String(LOAD_CORE), process.execPath, ...args])
  return { perSecond, ...JSON.parse(stdout) }
}

/** How many requests a second a server can answer if nothing is asked of it but the next one. */
export function capacity(rounds: readonly Round[]): number {
  return median(rounds.map(each => (each.requests / each.microseconds) * 1e6))
}
