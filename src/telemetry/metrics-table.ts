/** A metric of the service itself: whether it only grows, its labels, and what it counts. */
export type MetricRow = { type: 'counter' | 'gauge'; labels: readonly string[]; help: string }

/** The metrics that the service adds to those of every Node process, by name: the source of `/metrics` and of its documentation. */
export const METRICS = {
  housestyle_requests_total: { type: 'counter', labels: ['status'], help: 'Requests answered.' },
  housestyle_request_seconds_total: { type: 'counter', labels: ['status'], help: 'Time spent on requests.' },
  housestyle_access_total: {
    type: 'counter',
    labels: ['event', 'reason'],
    help: 'Refusals, and what was issued, revoked or retired.',
  },
  housestyle_log_lines_dropped_total: {
    type: 'counter',
    labels: [],
    help: 'Lines of the log that were dropped, because nobody read it or it could not be written.',
  },
  housestyle_worker_failures_total: {
    type: 'counter',
    labels: ['task', 'cause'],
    help: 'Failures of the processes for untrusted content; each task is tried twice.',
  },
  housestyle_cache_bytes: { type: 'gauge', labels: ['cache'], help: 'Bytes that the entries of a cache take.' },
  housestyle_cache_entries: { type: 'gauge', labels: ['cache'], help: 'Entries of a cache.' },
  housestyle_limit_shared: {
    type: 'gauge',
    labels: [],
    help: 'Whether the limit is shared with other processes (1), or this process counts on its own (0). Shown only with `--limits`.',
  },
} as const satisfies Readonly<Record<string, MetricRow>>

/** The name of a metric of the service. */
export type MetricName = keyof typeof METRICS
