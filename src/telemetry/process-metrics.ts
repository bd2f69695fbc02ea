import { readdirSync, readFileSync } from 'node:fs'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { cpuUsage, memoryUsage } from 'node:process'
import { lazy } from '../base/object.ts'
import type { CountName, Sample, Samples } from './metrics-table.ts'

/** The metrics of the process itself. Those of its descriptors exist only on Linux. */
export const PROCESS_METRICS: readonly [CountName, Samples][] = [
  ['process_cpu_seconds_total', () => [[{}, cpuSeconds()]]],
  ['process_start_time_seconds', () => [[{}, performance.timeOrigin / 1000]]],
  ['process_resident_memory_bytes', () => sampleUnlessUnreadable(memoryUsage.rss)],
  ['process_open_fds', () => sampleUnlessUnreadable(() => readdirSync('/proc/self/fd').length - 1)],
  ['process_max_fds', () => sampleUnlessUnreadable(maxDescriptors)],
  ['nodejs_eventloop_lag_p99_seconds', () => [[{}, takeDelaySeconds()]]],
]

function cpuSeconds(): number {
  const { user, system } = cpuUsage()
  return (user + system) / 1e6
}

/** Reads a value from the system, which fails if all descriptors are in use. */
function sampleUnlessUnreadable(read: () => number): Sample[] {
  try {
    return [[{}, read()]]
  } catch {
    return []
  }
}

function maxDescriptors(): number {
  return Number(/^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1])
}

/** The 99th percentile since the last call; 0 at the first, which begins to measure. */
function takeDelaySeconds(): number {
  const measured = delays()
  const seconds = measured.percentile(99) / 1e9
  measured.reset()
  return seconds
}

const delays = lazy(() => {
  const measured = monitorEventLoopDelay()
  measured.enable()
  return measured
})
