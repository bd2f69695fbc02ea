import { once } from '../base/promise.ts'
import { type Histogram, openHistogram } from './histogram.ts'
import { type CountName, type HistogramName, METRICS, type Sample, type Samples } from './metrics-table.ts'

/** Metrics in the Prometheus text format. */
type MetricsText = { contentType: string; text: string }

/** The counters of the service; `text` returns them in the Prometheus exposition format. */
export type Metrics = {
  /** Counts an answered request: its status, duration and operation. */
  countRequest: (status: number, milliseconds: number, operation: string) => void
  /** Counts a request that was refused before it was read, and the reason. */
  countShed: (reason: 'overload' | 'connections') => void
  /** Counts an access event, with the reason of a refusal. */
  countAccess: (event: string, reason: string) => void
  /** Counts a failed child process: the task and the cause. */
  countProcessFailure: (task: string, cause: string) => void
  /** Counts projects that were published or unpublished. */
  countPublications: (event: 'published' | 'unpublished', projects: number) => void
  /** Counts an attempt to deliver a message to a webhook. */
  countDelivery: (result: 'ok' | 'error') => void
  /** Counts a reply of an engine (`postgres`) to an operation (`query`). */
  countEngine: (engine: string, operation: string, isOk: boolean, milliseconds: number) => void
  /** Registers a metric whose samples are read on each request. */
  watch: (name: CountName, samples: Samples) => void
  text: () => Promise<MetricsText>
}

/**
 * Counts in memory. The formatting library is loaded later. `droppedLines` returns the
 * number of dropped log lines.
 */
export function openMetrics(droppedLines: () => number = () => 0): Metrics {
  const [access, failures, publications, shed] = [openCounts(), openCounts(), openCounts(), openCounts()]
  const deliveries = openCounts()
  for (const reason of ['overload', 'connections']) shed.add(reason, 0)
  const durations = openHistogram(METRICS.housestyle_request_duration_seconds.bounds)
  const engines = openHistogram(METRICS.housestyle_engine_duration_seconds.bounds)
  const byStatus = (pick: (of: StatusCount) => number) => () =>
    Array.from(countsByStatus(durations), ([status, of]): Sample => [{ status }, pick(of)])
  const counts = new Map<CountName, Samples>([
    ['housestyle_requests_total', byStatus(({ count }) => count)],
    ['housestyle_request_seconds_total', byStatus(({ seconds }) => seconds)],
    ['housestyle_requests_shed_total', shed.samples('reason')],
    ['housestyle_access_total', access.samples('event', 'reason')],
    ['housestyle_publications_total', publications.samples('event')],
    ['housestyle_webhook_attempts_total', deliveries.samples('result')],
    ['housestyle_log_lines_dropped_total', () => [[{}, droppedLines()]]],
    ['housestyle_worker_failures_total', failures.samples('task', 'cause')],
  ])
  const registry = once(async () => (await import('./metrics-registry.ts')).registryOf(counts))
  return {
    countRequest: (status, milliseconds, operation) => durations.observe(operation, status, milliseconds),
    countShed: reason => shed.add(reason),
    countAccess: (event, reason) => access.add(`${event} ${reason}`),
    countProcessFailure: (task, cause) => failures.add(`${task} ${cause}`),
    countPublications: (event, projects) => publications.add(event, projects),
    countDelivery: result => deliveries.add(result),
    countEngine: (engine, operation, isOk, milliseconds) =>
      engines.observe(engine, `${operation} ${isOk ? 'ok' : 'error'}`, milliseconds),
    watch: (name, samples) => void counts.set(name, samples),
    text: async () => {
      const counted = await registry()
      const histograms = [
        histogramText('housestyle_request_duration_seconds', durations),
        histogramText('housestyle_engine_duration_seconds', engines),
      ]
      return {
        contentType: counted.contentType,
        text: [withoutFalseTypes(await counted.metrics()), ...histograms].join('\n'),
      }
    },
  }
}

/** Removes the type of the library's gauges with counter names, which Prometheus reports as an error. */
function withoutFalseTypes(text: string): string {
  return text.replace(/^(# TYPE \w+_total) gauge$/gm, '$1 untyped')
}

type StatusCount = { count: number; seconds: number }

/**
 * Counts requests by status. Statuses with alerts begin at 0; otherwise the first occurrence would not appear as an
 * increase.
 */
function countsByStatus({ rows }: Histogram): Map<string | number, StatusCount> {
  const found = new Map<string | number, StatusCount>(STATUSES.map(status => [status, { count: 0, seconds: 0 }]))
  for (const { others, row } of rows()) {
    const { count, seconds } = found.get(others) ?? { count: 0, seconds: 0 }
    found.set(others, {
      count: count + row.counts.reduce((sum, each) => sum + each, 0),
      seconds: seconds + row.seconds,
    })
  }
  return found
}

const STATUSES = [200, 500, 503]

/** Counts by label values, which are joined by spaces. */
function openCounts() {
  const counts = new Map<string, number>()
  return {
    add: (key: string, by = 1) => void counts.set(key, (counts.get(key) ?? 0) + by),
    samples: (...names: string[]): Samples => {
      return () => Array.from(counts, ([key, count]) => [labelsOf(names, key), count])
    },
  }
}

/** Makes labels of these names from values joined by spaces. */
function labelsOf(names: readonly string[], key: string): Record<string, string> {
  const values = key.split(' ')
  return Object.fromEntries(names.map((name, at) => [name, values[at] ?? '']))
}

/** Formats a histogram for Prometheus. Counting each value through the library would cost more. */
function histogramText(name: HistogramName, { rows }: Histogram): string {
  const { help, labels, bounds } = METRICS[name]
  const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`]
  for (const { first, others, row } of rows()) {
    const { counts, seconds } = row
    const own = Object.entries(labelsOf(labels, `${first} ${others}`)).map(([label, value]) => `${label}="${value}"`)
    let total = 0
    counts.forEach((count, at) => {
      total += count
      lines.push(`${name}_bucket{${[...own, `le="${bounds[at] ?? '+Inf'}"`]}} ${total}`)
    })
    lines.push(`${name}_sum{${own}} ${seconds}`, `${name}_count{${own}} ${total}`)
  }
  return `${lines.join('\n')}\n`
}
