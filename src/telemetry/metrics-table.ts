/** A metric of the service: its type, labels and help text. A histogram has bounds, in seconds. */
export type MetricRow = {
  labels: readonly string[]
  help: string
} & ({ type: 'counter' | 'gauge' } | { type: 'histogram'; bounds: readonly number[] })

const OUTCOME = '`result` is `ok` or `error`.'

/**
 * The metrics, keyed by name: the source of `/metrics` and its documentation. Names and units follow Prometheus, those
 * of the process its client libraries. No label has values that clients or authors choose.
 */
export const METRICS = {
  housestyle_build_info: {
    type: 'gauge',
    labels: ['version', 'node'],
    help: 'Always 1; the labels are the service version and the Node version.',
  },
  housestyle_requests_total: { type: 'counter', labels: ['status'], help: 'Answered requests.' },
  housestyle_request_seconds_total: { type: 'counter', labels: ['status'], help: 'Time spent on requests.' },
  housestyle_request_duration_seconds: {
    type: 'histogram',
    labels: ['operation', 'status'],
    bounds: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    help: 'The time until the last byte of a reply was handed to the system, by operation and status.',
  },
  housestyle_requests_shed_total: {
    type: 'counter',
    labels: ['reason'],
    help: 'Requests refused with 503 before they were read, because of `overload` or too many `connections`.',
  },
  housestyle_connections: { type: 'gauge', labels: [], help: 'Open client connections.' },
  housestyle_event_streams: { type: 'gauge', labels: [], help: 'Open event streams.' },
  housestyle_access_total: {
    type: 'counter',
    labels: ['event', 'reason'],
    help: 'Access events: refusals, and changes to tokens, clients, keys and share links.',
  },
  housestyle_publications_total: {
    type: 'counter',
    labels: ['event'],
    help: 'Projects that any process published or unpublished since this one started.',
  },
  housestyle_webhook_attempts_total: {
    type: 'counter',
    labels: ['result'],
    help: `Attempts of this process to deliver messages to webhooks. ${OUTCOME}`,
  },
  housestyle_issuer_failures_total: {
    type: 'counter',
    labels: ['kind'],
    help: 'Failed requests to issuers. `kind` is `sign-in` or `proxy` for those of people, `trusted` for those of tokens.',
  },
  housestyle_clock_offset_seconds: {
    type: 'gauge',
    labels: ['source'],
    help: 'How far another clock was ahead of this machine at the last comparison: that of the Postgres `database` or of an `issuer`.',
  },
  housestyle_store_change: {
    type: 'gauge',
    labels: [],
    help: 'The number of the last store change that this process serves.',
  },
  housestyle_store_up: {
    type: 'gauge',
    labels: ['part'],
    help: 'Whether a part of the store is usable (1) or not (0): `database` and `folder`, `files` in a bucket, and the `disk` of the data folder, which must not be full or read-only.',
  },
  housestyle_content_damaged: {
    type: 'gauge',
    labels: ['part'],
    help: 'Damaged content that requests have found in `files` or the `database`. Returns to 0 after repair or removal.',
  },
  housestyle_content_damage_found_total: {
    type: 'counter',
    labels: ['part'],
    help: 'Damaged content found in `files` or the `database`; new damage after a repair counts again.',
  },
  housestyle_engine_duration_seconds: {
    type: 'histogram',
    labels: ['engine', 'operation', 'result'],
    bounds: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30],
    help: `The response time of databases, files and limits for this process. ${OUTCOME}`,
  },
  housestyle_database_connections: {
    type: 'gauge',
    labels: ['state'],
    help: 'Busy and idle connections in the Postgres pool. Shown only with `--database`.',
  },
  housestyle_database_waiting: {
    type: 'gauge',
    labels: [],
    help: 'Work waiting for a connection from the Postgres pool. Shown only with `--database`.',
  },
  housestyle_log_lines_dropped_total: {
    type: 'counter',
    labels: [],
    help: 'Dropped log lines, because the log was unread or could not be written.',
  },
  housestyle_worker_failures_total: {
    type: 'counter',
    labels: ['task', 'cause'],
    help: 'Failures of processes for untrusted content; a task is tried twice, except one of `lint` that takes too long.',
  },
  housestyle_worker_processes: {
    type: 'gauge',
    labels: ['task', 'state'],
    help: 'Busy and idle processes for untrusted content.',
  },
  housestyle_worker_waiting: {
    type: 'gauge',
    labels: ['task'],
    help: 'Tasks waiting for a process for untrusted content.',
  },
  housestyle_cache_bytes: { type: 'gauge', labels: ['cache'], help: 'The size of the entries of a cache, in bytes.' },
  housestyle_cache_used_bytes: {
    type: 'gauge',
    labels: [],
    help: 'The total size of all caches, in bytes.',
  },
  housestyle_cache_limit_bytes: {
    type: 'gauge',
    labels: [],
    help: 'The limit on the total size of all caches, in bytes: `--cache`.',
  },
  housestyle_cache_entries: { type: 'gauge', labels: ['cache'], help: 'The number of entries in a cache.' },
  housestyle_cache_requests_total: {
    type: 'counter',
    labels: ['cache', 'result'],
    help: 'Cache lookups: `hit` if the entry was present, `miss` if not.',
  },
  housestyle_git_pull_up: {
    type: 'gauge',
    labels: ['repository', 'ref', 'path'],
    help: 'Whether the last check of a followed repository succeeded (1), or failed or refused the commit (0), in any process.',
  },
  housestyle_git_pull_age_seconds: {
    type: 'gauge',
    labels: ['repository', 'ref', 'path'],
    help: 'The time since the last good check of a followed repository, by any process; +Inf if there was none.',
  },
  housestyle_limit_shared: {
    type: 'gauge',
    labels: [],
    help: 'Whether the limit is shared with other processes (1) or not (0). Shown only with `--limits`.',
  },
  process_cpu_seconds_total: {
    type: 'counter',
    labels: [],
    help: 'Total user and system CPU time spent in seconds.',
  },
  process_start_time_seconds: {
    type: 'gauge',
    labels: [],
    help: 'Start time of the process since unix epoch in seconds.',
  },
  process_resident_memory_bytes: { type: 'gauge', labels: [], help: 'Resident memory size in bytes.' },
  process_open_fds: { type: 'gauge', labels: [], help: 'Number of open file descriptors.' },
  process_max_fds: { type: 'gauge', labels: [], help: 'Maximum number of open file descriptors.' },
  nodejs_eventloop_lag_p99_seconds: {
    type: 'gauge',
    labels: [],
    help: 'The 99th percentile of the recorded event loop delays.',
  },
} as const satisfies Readonly<Record<string, MetricRow>>

export type MetricName = keyof typeof METRICS

/** The name of a counter or gauge. */
export type CountName = Exclude<MetricName, HistogramName>
export type HistogramName = 'housestyle_request_duration_seconds' | 'housestyle_engine_duration_seconds'

/** The current values of a metric, each with its labels. The values of a histogram add a suffix to its name. */
export type Samples = () => Iterable<Sample>
export type Sample = readonly [labels: Labels, value: number, suffix?: string]
export type Labels = Readonly<Record<string, string | number>>
