import type { Registry } from 'prom-client'
import { type Histogram, openHistogram } from './histogram.ts'
import { type CountName, type HistogramName, METRICS, type Sample, type Samples } from './metrics-table.ts'

/** Metrics in the text format of Prometheus. */
type MetricsText = { contentType: string; text: string }

/** Counts what the service does; `text` gives it in the Prometheus exposition format. */
export type Metrics = {
  /** A request that was answered: its status, how long it took, and what it asked for. */
  countRequest: (status: number, milliseconds: number, operation: string) => void
  /** A request that was refused before it was read, and why. */
  countShed: (reason: 'overload' | 'connections') => void
  /** An event of access, with its reason if it is a refusal. */
  countAccess: (event: string, reason: string) => void
  /** A child process that failed: at which task, and why. */
  countProcessFailure: (task: string, cause: string) => void
  /** Projects that were published, or are published no longer. */
  countPublications: (event: 'published' | 'unpublished', projects: number) => void
  /** An answer of an engine (`postgres`) to an operation (`query`). */
  countEngine: (engine: string, operation: string, isOk: boolean, milliseconds: number) => void
  /** Shows a metric by what is the case whenever it is asked for. */
  watch: (name: CountName, samples: Samples) => void
  text: () => Promise<MetricsText>
}

/**
 * Counts in memory. The library that writes the format is loaded with the first request for the text. `droppedLines`
 * returns the number of log lines that were dropped.
 */
export function openMetrics(droppedLines: () => number = () => 0): Metrics {
  const [access, failures, publications, shed] = [openCounts(), openCounts(), openCounts(), openCounts()]
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
    ['housestyle_log_lines_dropped_total', () => [[{}, droppedLines()]]],
    ['housestyle_worker_failures_total', failures.samples('task', 'cause')],
  ])
  let opened: Promise<Registry> | undefined
  const registry = () => {
    opened ??= import('./metrics-registry.ts').then(({ registryOf }) => registryOf(counts))
    return opened
  }
  return {
    countRequest: (status, milliseconds, operation) => durations.observe(operation, status, milliseconds),
    countShed: reason => shed.add(reason),
    countAccess: (event, reason) => access.add(`${event} ${reason}`),
    countProcessFailure: (task, cause) => failures.add(`${task} ${cause}`),
    countPublications: (event, projects) => publications.add(event, projects),
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

/** The library has gauges whose names end as those of counters, which Prometheus takes for a mistake; without a type they are none. */
function withoutFalseTypes(text: string): string {
  return text.replace(/^(# TYPE \w+_total) gauge$/gm, '$1 untyped')
}

type StatusCount = { count: number; seconds: number }

/** Requests by status. Those that alerts are about begin at 0: the first would not be seen as a rise otherwise. */
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

/** Counts by the values of labels, with a space between them. */
function openCounts() {
  const counts = new Map<string, number>()
  return {
    add: (key: string, by = 1) => void counts.set(key, (counts.get(key) ?? 0) + by),
    samples: (...names: string[]): Samples => {
      return () => Array.from(counts, ([key, count]) => [labelsOf(names, key), count])
    },
  }
}

/** The labels of these names, from their values with a space between them. */
function labelsOf(names: readonly string[], key: string): Record<string, string> {
  const values = key.split(' ')
  return Object.fromEntries(names.map((name, at) => [name, values[at] ?? '']))
}

/** A histogram in the text format of Prometheus. Counting each value through the library would cost more. */
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
