import type { MetricObjectWithValues, MetricValue } from 'prom-client'
import type { Histogram } from './histogram.ts'
import type { HistogramName } from './metrics-table.ts'

/** Metrics in the text format of Prometheus. */
export type MetricsText = { contentType: string; text: string }

/** Metrics as one thread has them: those of the library in its own form, and histograms. */
export type MetricsReading = {
  counts: MetricObjectWithValues<MetricValue<string>>[]
  histograms: { name: HistogramName; rows: ReturnType<Histogram['rows']> }[]
}
