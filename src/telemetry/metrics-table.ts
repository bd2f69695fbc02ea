/** A metric of the service itself: its type, its labels, and what it shows. A histogram has its bounds, in seconds. */
export type MetricRow = {
  labels: readonly string[]
  help: string
} & ({ type: 'counter' | 'gauge' } | { type: 'histogram'; bounds: readonly number[] })

const OUTCOME = '`result` is `ok` or `error`.'

/**
 * The metrics that the service adds to those of every Node process, by name: the source of `/metrics` and of its
 * documentation. Names and units follow Prometheus. No label has values that clients or authors choose.
 */
export const METRICS = {
  housestyle_build_info: {
    type: 'gauge',
    labels: ['version', 'node'],
    help: 'Always 1; the labels are the version of the service and that of Node.',
  },
  housestyle_requests_total: { type: 'counter', labels: ['status'], help: 'Requests answered.' },
  housestyle_request_seconds_total: { type: 'counter', labels: ['status'], help: 'Time spent on requests.' },
  housestyle_request_duration_seconds: {
    type: 'histogram',
    labels: ['operation', 'status'],
    bounds: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    help: 'How long requests took until the last byte was handed to the system, by operation and status.',
  },
  housestyle_requests_shed_total: {
    type: 'counter',
    labels: ['reason'],
    help: 'Requests refused with 503 before they were read: `overload` if too much was asked, `connections` if their address had too many.',
  },
  housestyle_connections: { type: 'gauge', labels: [], help: 'Connections of clients that are open.' },
  housestyle_access_total: {
    type: 'counter',
    labels: ['event', 'reason'],
    help: 'Refusals, and what was issued, revoked or retired.',
  },
  housestyle_publications_total: {
    type: 'counter',
    labels: ['event'],
    help: 'Projects that were published or unpublished, in whatever process, since this one began to serve.',
  },
  housestyle_store_change: {
    type: 'gauge',
    labels: [],
    help: 'The number of the last change of the store that this process serves; processes on one store should agree.',
  },
  housestyle_store_up: {
    type: 'gauge',
    labels: ['part'],
    help: 'Whether the database can be read, the data folder is in its place, and files in a bucket can be reached (1), or not (0).',
  },
  housestyle_content_damaged: {
    type: 'gauge',
    labels: ['part'],
    help: 'Stored content whose bytes do not have its hash, as far as requests have found, in `files` or the `database`; 0 again once it is repaired or removed.',
  },
  housestyle_content_damage_found_total: {
    type: 'counter',
    labels: ['part'],
    help: 'How often damaged content was found in `files` or the `database`; new damage after a repair counts again.',
  },
  housestyle_engine_duration_seconds: {
    type: 'histogram',
    labels: ['engine', 'operation', 'result'],
    bounds: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30],
    help: `How long databases, files and limits took to answer this process. ${OUTCOME}`,
  },
  housestyle_database_connections: {
    type: 'gauge',
    labels: ['state'],
    help: 'Connections of the pool to Postgres that are busy or idle. Shown only with `--database`.',
  },
  housestyle_database_waiting: {
    type: 'gauge',
    labels: [],
    help: 'Work that waits for a connection of the pool to Postgres. Shown only with `--database`.',
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
  housestyle_worker_processes: {
    type: 'gauge',
    labels: ['task', 'state'],
    help: 'Processes for untrusted content that are busy or idle.',
  },
  housestyle_worker_waiting: {
    type: 'gauge',
    labels: ['task'],
    help: 'Tasks that wait for a process for untrusted content.',
  },
  housestyle_cache_bytes: { type: 'gauge', labels: ['cache'], help: 'Bytes that the entries of a cache take.' },
  housestyle_cache_used_bytes: {
    type: 'gauge',
    labels: [],
    help: 'Bytes that all caches take together.',
  },
  housestyle_cache_limit_bytes: {
    type: 'gauge',
    labels: [],
    help: 'Bytes that all caches may take together: `--cache`.',
  },
  housestyle_cache_entries: { type: 'gauge', labels: ['cache'], help: 'Entries of a cache.' },
  housestyle_cache_requests_total: {
    type: 'counter',
    labels: ['cache', 'result'],
    help: 'How often a cache was asked for an entry: `hit` if it had it, `miss` if not.',
  },
  housestyle_limit_shared: {
    type: 'gauge',
    labels: [],
    help: 'Whether the limit is shared with other processes (1), or this process counts on its own (0). Shown only with `--limits`.',
  },
} as const satisfies Readonly<Record<string, MetricRow>>

type MetricName = keyof typeof METRICS

/** The name of a metric that is a number. */
export type CountName = Exclude<MetricName, HistogramName>
/** The name of a metric that is a histogram. */
export type HistogramName = 'housestyle_request_duration_seconds' | 'housestyle_engine_duration_seconds'

/** The current values of a metric, each with its labels. */
export type Samples = () => Iterable<Sample>
export type Sample = readonly [labels: Readonly<Record<string, string | number>>, value: number]
