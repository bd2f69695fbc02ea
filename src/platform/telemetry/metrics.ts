import { readdirSync, readFileSync } from 'node:fs'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { cpuUsage, memoryUsage } from 'node:process'
import { lazy } from '../base/object.ts'
import { attempt } from '../base/result.ts'
import { groupsOf } from '../base/text.ts'
import {
  type CountName,
  type HistogramName,
  type Labels,
  METRICS,
  type MetricName,
  type Sample,
  type Samples,
} from './metrics-table.ts'

/** The counters of the service; `text` returns them in the Prometheus exposition format. */
export type Metrics = {
  countRequest: (status: number, milliseconds: number, operation: string) => void
  countShed: (reason: 'overload' | 'connections') => void
  countAccess: (event: string, reason: string) => void
  countIssuerFailure: (kind: 'sign-in' | 'proxy' | 'trusted') => void
  countProcessFailure: (task: string, cause: string) => void
  countPublications: (event: 'published' | 'unpublished', projects: number) => void
  countDelivery: (result: 'ok' | 'error') => void
  countMail: (result: 'ok' | 'error') => void
  countBook: (result: 'ok' | 'error') => void
  /** Counts a reply of an engine (`postgres`) to an operation (`query`). */
  countEngine: (engine: string, operation: string, isOk: boolean, milliseconds: number) => void
  /** Registers a metric whose samples are read on each request. */
  watch: (name: CountName, samples: Samples) => void
  text: () => string
}

/** Counts in memory. `droppedLines` returns the number of dropped log lines. */
export function openMetrics(droppedLines: () => number = () => 0): Metrics {
  const durations = openHistogram('housestyle_request_duration_seconds')
  const engines = openHistogram('housestyle_engine_duration_seconds')
  const byStatus = (pick: (of: StatusCount) => number) => () =>
    Array.from(countsByStatus(durations), ([status, of]): Sample => [{ status }, pick(of)])
  const metrics = new Map<MetricName, Samples>([
    ['housestyle_requests_total', byStatus(({ count }) => count)],
    ['housestyle_request_seconds_total', byStatus(({ seconds }) => seconds)],
  ])
  const counter = (name: CountName, ...known: readonly string[]) => addCounter(metrics, name, known)
  const countShed = counter('housestyle_requests_shed_total', 'overload', 'connections')
  const access = counter('housestyle_access_total')
  const countPublications = counter('housestyle_publications_total')
  const countDelivery = counter('housestyle_webhook_attempts_total', 'ok', 'error')
  const countMail = counter('housestyle_mail_attempts_total', 'ok', 'error')
  const countBook = counter('housestyle_books_total', 'ok', 'error')
  const countIssuerFailure = counter('housestyle_issuer_failures_total', 'sign-in', 'proxy', 'trusted')
  metrics.set('housestyle_log_lines_dropped_total', () => [[{}, droppedLines()]])
  const failures = counter('housestyle_worker_failures_total')
  for (const [name, samples] of PROCESS_METRICS) metrics.set(name, samples)
  metrics.set('housestyle_request_duration_seconds', durations.samples)
  metrics.set('housestyle_engine_duration_seconds', engines.samples)
  return {
    countRequest: (status, milliseconds, operation) => durations.observe(operation, status, milliseconds),
    countShed,
    countAccess: (event, reason) => access(`${event} ${reason}`),
    countIssuerFailure,
    countProcessFailure: (task, cause) => failures(`${task} ${cause}`),
    countPublications,
    countDelivery,
    countMail,
    countBook,
    countEngine: (engine, operation, isOk, milliseconds) =>
      engines.observe(engine, `${operation} ${isOk ? 'ok' : 'error'}`, milliseconds),
    watch: (name, samples) => void metrics.set(name, samples),
    text: () => Array.from(metrics, ([name, samples]) => metricText(name, samples())).join('\n'),
  }
}

type StatusCount = { count: number; seconds: number }

/** Statuses with alerts begin at 0; otherwise their first occurrence would not appear as an increase. */
function countsByStatus({ rows }: Histogram): Map<string | number, StatusCount> {
  const totals = new Map<string | number, StatusCount>(STATUSES.map(status => [status, { count: 0, seconds: 0 }]))
  for (const { others, counts, seconds } of rows()) {
    const before = totals.get(others) ?? { count: 0, seconds: 0 }
    const count = counts.reduce((sum, each) => sum + each, before.count)
    totals.set(others, { count, seconds: before.seconds + seconds })
  }
  return totals
}

const STATUSES = [200, 500, 503]

/** Adds a counter by label values, which are joined by spaces. It begins at 0 for the known ones. */
function addCounter(metrics: Map<MetricName, Samples>, name: CountName, known: readonly string[]) {
  const counts = new Map(known.map(key => [key, 0]))
  metrics.set(name, () => Array.from(counts, ([key, count]) => [labelsOf(METRICS[name].labels, key), count]))
  return (key: string, by = 1) => void counts.set(key, (counts.get(key) ?? 0) + by)
}

function labelsOf(names: readonly string[], key: string): Record<string, string> {
  const values = key.split(' ')
  return Object.fromEntries(names.map((name, at) => [name, values[at] ?? '']))
}

type Histogram = {
  observe: (first: string, others: string | number, milliseconds: number) => void
  rows: () => HistogramRow[]
  samples: Samples
}

/**
 * The durations of one pair of label values: how many are in each bucket, the last one without an upper bound, and their
 * sum. `first` is the value of the first label, and `others` those of the other labels, joined by spaces.
 */
type HistogramRow = { first: string; others: string | number; counts: Uint32Array; seconds: number }

function openHistogram(name: HistogramName): Histogram {
  const { labels, bounds } = METRICS[name]
  // Two steps, because a string made of both labels would be hashed each time.
  const byLabels = new Map<string, Map<string | number, HistogramRow>>()
  const make = (first: string, others: string | number): HistogramRow => {
    const row = { first, others, counts: new Uint32Array(bounds.length + 1), seconds: 0 }
    const rowsOfFirst = byLabels.get(first) ?? new Map<string | number, HistogramRow>()
    byLabels.set(first, rowsOfFirst.set(others, row))
    return row
  }
  const rows = () => [...byLabels.values()].flatMap(rowsOfFirst => [...rowsOfFirst.values()])
  return {
    observe: (first, others, milliseconds) => {
      const row = byLabels.get(first)?.get(others) ?? make(first, others)
      const seconds = milliseconds / 1000
      let bucket = 0
      while (seconds > (bounds[bucket] ?? Infinity)) bucket++
      row.counts[bucket] = (row.counts[bucket] ?? 0) + 1
      row.seconds += seconds
    },
    rows,
    samples: () => rows().flatMap(row => rowSamples(labelsOf(labels, `${row.first} ${row.others}`), bounds, row)),
  }
}

/** The samples of a row. In Prometheus, a bucket also counts the durations of all smaller ones. */
function rowSamples(labels: Labels, bounds: readonly number[], { counts, seconds }: HistogramRow): Sample[] {
  let total = 0
  const buckets = Array.from(counts, (count, at): Sample => {
    total += count
    return [{ ...labels, le: bounds[at] ?? '+Inf' }, total, '_bucket']
  })
  return [...buckets, [labels, seconds, '_sum'], [labels, total, '_count']]
}

/** Writes a metric in the Prometheus text format 0.0.4. */
function metricText(name: MetricName, samples: Iterable<Sample>): string {
  const { help, type } = METRICS[name]
  const lines = Array.from(
    samples,
    ([labels, value, suffix = '']) =>
      `${name}${suffix}${labelsText(labels)} ${value === Number.POSITIVE_INFINITY ? '+Inf' : value}\n`,
  )
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
}

function labelsText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${escapeLabel(`${value}`)}"`)
  return pairs.length > 0 ? `{${pairs.join(',')}}` : ''
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"')
}

/** The metrics of the process itself. Those of its descriptors exist only on Linux. */
const PROCESS_METRICS: readonly [CountName, Samples][] = [
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
  return attempt(() => [[{}, read()]]) ?? []
}

function maxDescriptors(): number {
  return Number(groupsOf(/^Max open files +(\d+)/m, readFileSync('/proc/self/limits', 'utf8'))[1])
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
