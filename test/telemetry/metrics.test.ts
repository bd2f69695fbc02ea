import assert from 'node:assert/strict'
import test from 'node:test'
import { openMetrics } from '../../src/telemetry/metrics.ts'
import { METRICS } from '../../src/telemetry/metrics-table.ts'

test('the metrics of the service are those of the table, with the type and the help that it gives them', async () => {
  const metrics = openMetrics()
  metrics.setLimitShared(true)
  const { text } = await metrics.text()
  const shown = [...text.matchAll(/^# HELP (housestyle_\w+) (.*)\n# TYPE \1 (\w+)$/gm)]
  assert.deepEqual(
    Object.fromEntries(shown.map(([, name, help, type]) => [name, { help, type }])),
    Object.fromEntries(Object.entries(METRICS).map(([name, { help, type }]) => [name, { help, type }])),
  )
})

test('the samples of a metric have the labels of the table', async () => {
  const metrics = openMetrics(() => 3)
  metrics.countRequest(200, 250)
  metrics.countAccess('token-refused', 'expired')
  metrics.countProcessFailure('markdown', 'time')
  metrics.setLimitShared(false)
  metrics.watchCaches(() => [{ cache: 'replies', bytes: 12, entries: 1 }])
  const { text } = await metrics.text()
  const samples = [...text.matchAll(/^(housestyle_\w+)(?:\{(.*)\})? (\S+)$/gm)].map(
    ([, name = '', labels = '', value]) => {
      const names = [...labels.matchAll(/(\w+)="/g)].map(([, label]) => label)
      return [name, { labels: names, value }]
    },
  )
  assert.deepEqual(Object.fromEntries(samples), {
    housestyle_requests_total: { labels: METRICS.housestyle_requests_total.labels, value: '1' },
    housestyle_request_seconds_total: { labels: METRICS.housestyle_request_seconds_total.labels, value: '0.25' },
    housestyle_access_total: { labels: METRICS.housestyle_access_total.labels, value: '1' },
    housestyle_log_lines_dropped_total: { labels: [], value: '3' },
    housestyle_worker_failures_total: { labels: METRICS.housestyle_worker_failures_total.labels, value: '1' },
    housestyle_cache_bytes: { labels: METRICS.housestyle_cache_bytes.labels, value: '12' },
    housestyle_cache_entries: { labels: METRICS.housestyle_cache_entries.labels, value: '1' },
    housestyle_limit_shared: { labels: [], value: '0' },
  })
})

test('whether the limit is shared is not shown by a process that is not to share it', async () => {
  const { text } = await openMetrics().text()
  assert.doesNotMatch(text, /housestyle_limit_shared/)
})
