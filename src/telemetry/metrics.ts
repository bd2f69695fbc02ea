import type { Registry } from 'prom-client'
import { METRICS, type MetricName } from './metrics-table.ts'

/** Counts what the service does; `text` gives it in the Prometheus exposition format. */
export type Metrics = {
  countRequest: (status: number, milliseconds: number) => void
  /** An event of access, with its reason if it is a refusal. */
  countAccess: (event: string, reason: string) => void
  /** A child process that failed: at which task, and why. */
  countProcessFailure: (task: string, cause: string) => void
  /** Called only if the limit is meant to be shared: whether it is now. */
  setLimitShared: (isShared: boolean) => void
  /** Has the sizes of the caches shown. */
  watchCaches: (usage: CacheUsage) => void
  text: () => Promise<{ contentType: string; text: string }>
}

/**
 * Counts in memory. The library that writes the format is loaded when the text is first asked for. `droppedLines` says
 * how many lines of the log were dropped.
 */
export function openMetrics(droppedLines: () => number = () => 0): Metrics {
  const requests: Requests = new Map()
  const access: AccessCounts = new Map()
  const failures: FailureCounts = new Map()
  const limit: SharedLimit = { isShared: undefined }
  let caches: CacheUsage = () => []
  let registry: Promise<Registry> | undefined
  return {
    countRequest: (status, milliseconds) => {
      const known = requests.get(status)
      if (known) {
        known.count++
        known.seconds += milliseconds / 1000
      } else requests.set(status, { count: 1, seconds: milliseconds / 1000 })
    },
    countAccess: (event, reason) => {
      const key = `${event} ${reason}`
      access.set(key, (access.get(key) ?? 0) + 1)
    },
    countProcessFailure: (task, cause) => {
      const key = `${task} ${cause}`
      failures.set(key, (failures.get(key) ?? 0) + 1)
    },
    setLimitShared: isShared => {
      limit.isShared = isShared
    },
    watchCaches: usage => {
      caches = usage
    },
    text: async () => {
      registry ??= makeRegistry({ requests, access, failures, limit, droppedLines, caches: () => caches() })
      const made = await registry
      return { contentType: made.contentType, text: await made.metrics() }
    },
  }
}

type Requests = Map<number, { count: number; seconds: number }>
/** By event and reason, with a space between them. */
type AccessCounts = Map<string, number>

/** By task and cause, with a space between them. */
type FailureCounts = Map<string, number>

/** The current size of each cache. */
type CacheUsage = () => readonly { cache: string; bytes: number; entries: number }[]

type SharedLimit = { isShared: boolean | undefined }

type Counts = {
  requests: Requests
  access: AccessCounts
  failures: FailureCounts
  limit: SharedLimit
  droppedLines: () => number
  caches: CacheUsage
}

async function makeRegistry({ requests, access, failures, limit, droppedLines, caches }: Counts): Promise<Registry> {
  const { collectDefaultMetrics, Counter, Gauge, Registry } = await import('prom-client')
  const registry = new Registry()
  const show = (name: MetricName, rows: () => Iterable<Sample>) => {
    const { type, labels, help } = METRICS[name]
    const metric = { name, help, labelNames: [...labels], registers: [registry] }
    if (type === 'counter') {
      new Counter({
        ...metric,
        collect() {
          this.reset()
          for (const [labels, count] of rows()) this.inc(labels, count)
        },
      })
      return
    }
    new Gauge({
      ...metric,
      collect() {
        this.reset()
        for (const [labels, value] of rows()) this.set(labels, value)
      },
    })
  }
  const byStatus = (pick: (row: { count: number; seconds: number }) => number) => () =>
    [...requests].map(([status, row]): Sample => [{ status }, pick(row)])
  show(
    'housestyle_requests_total',
    byStatus(({ count }) => count),
  )
  show(
    'housestyle_request_seconds_total',
    byStatus(({ seconds }) => seconds),
  )
  show('housestyle_access_total', samples(access, 'event', 'reason'))
  show('housestyle_log_lines_dropped_total', () => [[{}, droppedLines()]])
  show('housestyle_worker_failures_total', samples(failures, 'task', 'cause'))
  show('housestyle_cache_bytes', () => caches().map(({ cache, bytes }): Sample => [{ cache }, bytes]))
  show('housestyle_cache_entries', () => caches().map(({ cache, entries }): Sample => [{ cache }, entries]))
  if (limit.isShared !== undefined) show('housestyle_limit_shared', () => [[{}, limit.isShared ? 1 : 0]])
  collectDefaultMetrics({ register: registry })
  return registry
}

/** The rows of counts whose keys are the values of two labels. */
function samples(counts: ReadonlyMap<string, number>, first: string, second: string): () => Sample[] {
  return () =>
    [...counts].map(([key, count]) => {
      const [one = '', two = ''] = key.split(' ')
      return [{ [first]: one, [second]: two }, count]
    })
}

type Sample = [labels: Record<string, string | number>, value: number]
