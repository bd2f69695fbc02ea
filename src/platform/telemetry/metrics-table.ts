/** A metric of the service. A histogram has bounds, in seconds. */
export type MetricRow = CountRow | HistogramRow

type CountRow = { type: 'counter' | 'gauge'; labels: readonly string[]; help: string }
type HistogramRow = Omit<CountRow, 'type'> & { type: 'histogram'; bounds: readonly number[] }

const OUTCOME = '`result` is `ok` or `error`.'

/**
 * The metrics, keyed by name: the source of `/metrics` and its documentation. Names and units follow Prometheus, those
 * of the process its client libraries. No label has values that clients or authors choose.
 */
export const METRICS = {
  housestyle_build_info: gauge('Always 1; the labels are the service version and the Node version.', 'version', 'node'),
  housestyle_requests_total: counter('Answered requests.', 'status'),
  housestyle_request_seconds_total: counter('Time spent on requests.', 'status'),
  housestyle_request_duration_seconds: histogram(
    'The time until the last byte of a reply was handed to the system, by operation and status.',
    ['operation', 'status'],
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  ),
  housestyle_requests_shed_total: counter(
    'Requests refused with 503 before they were read, because of `overload` or too many `connections`.',
    'reason',
  ),
  housestyle_connections: gauge('Open client connections.'),
  housestyle_event_streams: gauge('Open event streams.'),
  housestyle_access_total: counter(
    'Access events: refusals, and changes to tokens, clients, keys and share links.',
    'event',
    'reason',
  ),
  housestyle_publications_total: counter(
    'Projects that any process published or unpublished since this one started.',
    'event',
  ),
  housestyle_webhook_attempts_total: counter(
    `Attempts of this process to deliver messages to webhooks. ${OUTCOME}`,
    'result',
  ),
  housestyle_mail_attempts_total: counter(
    `Attempts of this process to send mail. Only with \`--smtp\`. ${OUTCOME}`,
    'result',
  ),
  housestyle_books_total: counter(`Attempts of this process to make a book. ${OUTCOME}`, 'result'),
  housestyle_issuer_failures_total: counter(
    'Failed requests to issuers. `kind` is `sign-in` or `proxy` for those of people, `trusted` for those of tokens.',
    'kind',
  ),
  housestyle_clock_offset_seconds: gauge(
    'How far another clock was ahead of this machine at the last comparison: that of the Postgres `database` or of an `issuer`.',
    'source',
  ),
  housestyle_store_change: gauge('The number of the last store change that this process serves.'),
  housestyle_store_up: gauge(
    'Whether a part of the store is usable (1) or not (0): `database` and `folder`, `files` in a bucket, and the `disk` of the data folder, which must not be full or read-only.',
    'part',
  ),
  housestyle_content_damaged: gauge(
    'Damaged content that requests have found in `files` or the `database`. Returns to 0 after repair or removal.',
    'part',
  ),
  housestyle_content_damage_found_total: counter(
    'Damaged content found in `files` or the `database`; new damage after a repair counts again.',
    'part',
  ),
  housestyle_engine_duration_seconds: histogram(
    `The response time of databases, files and limits for this process. ${OUTCOME}`,
    ['engine', 'operation', 'result'],
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30],
  ),
  housestyle_database_connections: gauge(
    'Busy and idle connections in the Postgres pool. Shown only with `--database`.',
    'state',
  ),
  housestyle_database_waiting: gauge(
    'Work waiting for a connection from the Postgres pool. Shown only with `--database`.',
  ),
  housestyle_log_lines_dropped_total: counter('Dropped log lines, because the log was unread or could not be written.'),
  housestyle_worker_failures_total: counter(
    'Failures of processes for untrusted content; a task is tried twice, except one of `lint` that takes too long.',
    'task',
    'cause',
  ),
  housestyle_worker_processes: gauge('Busy and idle processes for untrusted content.', 'task', 'state'),
  housestyle_worker_waiting: gauge('Tasks waiting for a process for untrusted content.', 'task'),
  housestyle_cache_bytes: gauge('The size of the entries of a cache, in bytes.', 'cache'),
  housestyle_cache_used_bytes: gauge('The total size of all caches, in bytes.'),
  housestyle_cache_limit_bytes: gauge('The limit on the total size of all caches, in bytes: `--cache`.'),
  housestyle_cache_entries: gauge('The number of entries in a cache.', 'cache'),
  housestyle_cache_requests_total: counter(
    'Cache lookups: `hit` if the entry was present, `miss` if not.',
    'cache',
    'result',
  ),
  housestyle_git_pull_up: gauge(
    'Whether the last check of a followed repository succeeded (1), or failed or refused the commit (0), in any process.',
    'repository',
    'ref',
    'path',
  ),
  housestyle_git_pull_age_seconds: gauge(
    'The time since the last good check of a followed repository, by any process; +Inf if there was none.',
    'repository',
    'ref',
    'path',
  ),
  housestyle_limit_shared: gauge(
    'Whether the limit is shared with other processes (1) or not (0). Shown only with `--limits`.',
  ),
  process_cpu_seconds_total: counter('Total user and system CPU time spent in seconds.'),
  process_start_time_seconds: gauge('Start time of the process since unix epoch in seconds.'),
  process_resident_memory_bytes: gauge('Resident memory size in bytes.'),
  process_open_fds: gauge('Number of open file descriptors.'),
  process_max_fds: gauge('Maximum number of open file descriptors.'),
  nodejs_eventloop_lag_p99_seconds: gauge('The 99th percentile of the recorded event loop delays.'),
}

function counter(help: string, ...labels: readonly string[]): CountRow {
  return { type: 'counter', labels, help }
}

function gauge(help: string, ...labels: readonly string[]): CountRow {
  return { type: 'gauge', labels, help }
}

function histogram(help: string, labels: readonly string[], bounds: readonly number[]): HistogramRow {
  return { type: 'histogram', labels, bounds, help }
}

export type MetricName = keyof typeof METRICS

/** The name of a counter or gauge. */
export type CountName = Exclude<MetricName, HistogramName>
export type HistogramName = 'housestyle_request_duration_seconds' | 'housestyle_engine_duration_seconds'

/** The current values of a metric, each with its labels. The values of a histogram add a suffix to its name. */
export type Samples = () => Iterable<Sample>
export type Sample = readonly [labels: Labels, value: number, suffix?: string]
export type Labels = Readonly<Record<string, string | number>>
