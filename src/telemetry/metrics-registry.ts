import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { MetricsReading } from './metrics-reading.ts'
import { type CountName, METRICS, type MetricRow, type Samples } from './metrics-table.ts'

/** Has a registry of the Prometheus library show what was counted, and what it collects of every Node process. */
export function registryOf(counts: ReadonlyMap<CountName, Samples>): Registry {
  const registry = new Registry()
  for (const [name, samples] of counts) show(registry, name, samples)
  collectDefaultMetrics({ register: registry })
  return registry
}

function show(registry: Registry, name: CountName, samples: Samples): void {
  const { type, labels, help, ofThreads }: MetricRow = METRICS[name]
  const metric = {
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
    ...(ofThreads && { aggregator: ofThreads }),
  }
  if (type === 'counter') {
    new Counter({
      ...metric,
      collect() {
        this.reset()
        for (const [labels, count] of samples()) this.inc({ ...labels }, count)
      },
    })
    return
  }
  new Gauge({
    ...metric,
    collect() {
      this.reset()
      for (const [labels, value] of samples()) this.set({ ...labels }, value)
    },
  })
}

/**
 * Metrics of several threads as those of one: counts are added, and of each gauge its row says what it shows. What the
 * library collects of the process is that of the first thread, which answers no requests, and what it collects of the
 * event loop and the heap is that of the others.
 */
export function together(
  first: MetricsReading,
  others: readonly MetricsReading[],
): { registry: Registry; histograms: MetricsReading['histograms'] } {
  const counts = [without('nodejs_', first), ...others.map(other => without('process_', other))]
  return { registry: AggregatorRegistry.aggregate(counts), histograms: addedHistograms([first, ...others]) }
}

function addedHistograms(readings: readonly MetricsReading[]): MetricsReading['histograms'] {
  const all = readings.flatMap(({ histograms }) => histograms)
  const names = new Set(all.map(({ name }) => name))
  return Array.from(names, name => ({ name, rows: addedRows(all.filter(each => each.name === name)) }))
}

function without(prefix: string, { counts }: MetricsReading): MetricsReading['counts'] {
  return counts.filter(({ name }) => !name.startsWith(prefix))
}

type Rows = MetricsReading['histograms'][number]['rows']

function addedRows(histograms: MetricsReading['histograms']): Rows {
  const added = new Map<string, Rows[number]>()
  for (const { first, others, row } of histograms.flatMap(({ rows }) => rows)) {
    const key = `${first} ${others}`
    const known = added.get(key)
    const counts = row.counts.map((count, at) => count + (known?.row.counts[at] ?? 0))
    added.set(key, { first, others, row: { counts, seconds: row.seconds + (known?.row.seconds ?? 0) } })
  }
  return [...added.values()]
}

/** The counts of threads that have ended, added up: they are still shown, so that none goes back. */
export async function countsOf(readings: readonly MetricsReading[]): Promise<MetricsReading> {
  const counts = readings.map(reading => reading.counts.filter(isCount))
  return {
    counts: await AggregatorRegistry.aggregate(counts).getMetricsAsJSON(),
    histograms: addedHistograms(readings),
  }
}

function isCount({ name }: { name: string }): boolean {
  const rows: Readonly<Record<string, MetricRow>> = METRICS
  return rows[name]?.type === 'counter'
}
