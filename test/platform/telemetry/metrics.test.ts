import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import test from 'node:test'
import { type Metrics, openMetrics } from '#platform/telemetry/metrics.ts'
import { METRICS } from '#platform/telemetry/metrics-table.ts'
import { needs } from '../../support/programs.ts'

/** Makes metrics with one sample each. */
function metricsWithSamples(): Metrics {
  const metrics = openMetrics(() => 3)
  metrics.countRequest(200, 250, 'getStyles')
  metrics.watch('housestyle_build_info', () => [[{ version: '0.1.0', node: '26.0.0' }, 1]])
  metrics.watch('housestyle_connections', () => [[{}, 4]])
  metrics.countAccess('token-refused', 'expired')
  metrics.countShed('overload')
  metrics.countPublications('published', 2)
  metrics.countProcessFailure('markdown', 'time')
  metrics.countEngine('postgres', 'query', true, 4)
  metrics.watch('housestyle_store_change', () => [[{}, 7]])
  metrics.watch('housestyle_store_up', () => [[{ part: 'database' }, 1]])
  metrics.watch('housestyle_content_damaged', () => [[{ part: 'files' }, 2]])
  metrics.watch('housestyle_content_damage_found_total', () => [[{ part: 'files' }, 3]])
  metrics.watch('housestyle_database_connections', () => [[{ state: 'busy' }, 2]])
  metrics.watch('housestyle_database_waiting', () => [[{}, 0]])
  metrics.watch('housestyle_worker_processes', () => [[{ task: 'markdown', state: 'idle' }, 1]])
  metrics.watch('housestyle_worker_waiting', () => [[{ task: 'markdown' }, 5]])
  metrics.watch('housestyle_cache_used_bytes', () => [[{}, 12]])
  metrics.watch('housestyle_cache_limit_bytes', () => [[{}, 100]])
  metrics.watch('housestyle_cache_bytes', () => [[{ cache: 'replies' }, 12]])
  metrics.watch('housestyle_cache_entries', () => [[{ cache: 'replies' }, 1]])
  metrics.watch('housestyle_cache_requests_total', () => [[{ cache: 'replies', result: 'hit' }, 9]])
  metrics.countDelivery('ok')
  metrics.countMail('ok')
  metrics.countIssuerFailure('sign-in')
  metrics.watch('housestyle_clock_offset_seconds', () => [[{ source: 'database' }, -7]])
  metrics.watch('housestyle_event_streams', () => [[{}, 6]])
  metrics.watch('housestyle_git_pull_up', () => [[{ repository: 'x', ref: '', path: '' }, 0]])
  metrics.watch('housestyle_git_pull_age_seconds', () => [[{ repository: 'x', ref: '', path: '' }, 61]])
  metrics.watch('housestyle_limit_shared', () => [[{}, 0]])
  return metrics
}

test('the service has exactly the metrics of the table, with its types and descriptions', () => {
  const text = metricsWithSamples().text()
  const shown = [...text.matchAll(/^# HELP (\w+) (.*)\n# TYPE \1 (\w+)$/gm)]
  assert.deepEqual(
    Object.fromEntries(shown.map(([, name, help, type]) => [name, { help, type }])),
    Object.fromEntries(Object.entries(METRICS).map(([name, { help, type }]) => [name, { help, type }])),
  )
})

test('the samples of a metric have the labels of the table', () => {
  const text = metricsWithSamples().text()
  const samples = [...text.matchAll(/^(housestyle_\w+)(?:\{(.*)\})? (\S+)$/gm)]
    .filter(([, name = '']) => !/_(bucket|sum)$/.test(name))
    .filter(([line]) => !/status="50[03]"|reason="connections"|result="error"|kind="(?:proxy|trusted)"/.test(line))
    .map(([, name = '', labels = '', value]) => {
      const names = [...labels.matchAll(/(\w+)="/g)].map(([, label]) => label)
      return [name, { labels: names, value }]
    })
  const values = {
    housestyle_build_info: '1',
    housestyle_connections: '4',
    housestyle_requests_shed_total: '1',
    housestyle_requests_total: '1',
    housestyle_request_seconds_total: '0.25',
    housestyle_request_duration_seconds: '1',
    housestyle_event_streams: '6',
    housestyle_access_total: '1',
    housestyle_publications_total: '2',
    housestyle_webhook_attempts_total: '1',
    housestyle_mail_attempts_total: '1',
    housestyle_issuer_failures_total: '1',
    housestyle_clock_offset_seconds: '-7',
    housestyle_store_change: '7',
    housestyle_store_up: '1',
    housestyle_content_damaged: '2',
    housestyle_content_damage_found_total: '3',
    housestyle_engine_duration_seconds: '1',
    housestyle_database_connections: '2',
    housestyle_database_waiting: '0',
    housestyle_log_lines_dropped_total: '3',
    housestyle_worker_failures_total: '1',
    housestyle_worker_processes: '1',
    housestyle_worker_waiting: '5',
    housestyle_cache_bytes: '12',
    housestyle_cache_used_bytes: '12',
    housestyle_cache_limit_bytes: '100',
    housestyle_cache_entries: '1',
    housestyle_cache_requests_total: '9',
    housestyle_git_pull_up: '0',
    housestyle_git_pull_age_seconds: '61',
    housestyle_limit_shared: '0',
  }
  assert.deepEqual(
    Object.fromEntries(samples),
    Object.fromEntries(
      Object.entries(METRICS)
        .filter(([name]) => name.startsWith('housestyle_'))
        .map(([name, { type, labels }]) => [
          type === 'histogram' ? `${name}_count` : name,
          { labels, value: Object.entries(values).find(([known]) => known === name)?.[1] },
        ]),
    ),
  )
})

test('every metric is counted or watched by the service', () => {
  const code = globSync('src/**/*.ts').filter(path => !path.endsWith('/metrics-table.ts'))
  const texts = code.map(path => ({ path, text: readFileSync(path, 'utf8') }))
  const unnamed = Object.keys(METRICS).filter(name => !texts.some(({ text }) => text.includes(name)))
  const callers = texts.filter(({ path }) => !path.endsWith('telemetry/metrics.ts')).map(({ text }) => text)
  const uncalled = Object.keys(openMetrics())
    .filter(name => name.startsWith('count'))
    .filter(
      name =>
        !callers.some(text =>
          new RegExp(`\\bmetrics\\.${name}\\b|\\b${name}\\(|\\{[^}]*\\b${name}\\b[^}]*\\} = metrics\\b`).test(text),
        ),
    )
  assert.deepEqual([unnamed, uncalled], [[], []])
})

test('values of labels are escaped, and an infinite value is +Inf', () => {
  const metrics = openMetrics()
  const labels = { repository: 'a"b\\c', ref: 'x\ny', path: '' }
  metrics.watch('housestyle_git_pull_age_seconds', () => [[labels, Number.POSITIVE_INFINITY]])
  const sample = String.raw`housestyle_git_pull_age_seconds{repository="a\"b\\c",ref="x\ny",path=""} +Inf`
  assert.ok(metrics.text().includes(`\n${sample}\n`))
})

/** Reads metrics while all file descriptors are in use, and again when they are free. */
const WITHOUT_DESCRIPTORS = `
  const { closeSync, openSync } = await import('node:fs')
  const { openMetrics } = await import('./src/platform/telemetry/metrics.ts')
  const { text } = openMetrics()
  const names = () => [...text().matchAll(/^((?:process|nodejs)_\\w+) \\S+$/gm)].map(([, name]) => name)
  const files = []
  try { for (;;) files.push(openSync('/dev/null')) } catch {}
  const results = [names()]
  files.forEach(file => closeSync(file))
  console.log(JSON.stringify([...results, names()]))
`

test('while all file descriptors are in use, metrics lack only the values of the system', needs('prlimit'), () => {
  const node = [process.execPath, '--input-type=module', '--eval', WITHOUT_DESCRIPTORS]
  const { stdout, stderr } = spawnSync('prlimit', ['--nofile=64', ...node], { encoding: 'utf8' })
  assert.equal(stderr, '')
  const all = Object.keys(METRICS).filter(name => !name.startsWith('housestyle_'))
  assert.deepEqual(JSON.parse(stdout), [
    ['process_cpu_seconds_total', 'process_start_time_seconds', 'nodejs_eventloop_lag_p99_seconds'],
    all,
  ])
})

test('a duration counts in each bucket whose bound it does not exceed', () => {
  const metrics = openMetrics()
  for (const milliseconds of [1, 5.5, 3_600_000]) metrics.countRequest(503, milliseconds, 'getPage')
  const text = metrics.text()
  const of = (name: string) =>
    [...text.matchAll(new RegExp(`^housestyle_request_duration_seconds_${name}\\{(.*)\\} (.*)$`, 'gm'))]
      .map(([, labels, value]) => `${labels?.replace('operation="getPage",status="503"', '')} ${value}`)
      .join(' ')
  assert.equal(
    of('bucket'),
    [
      ',le="0.001" 1 ,le="0.0025" 1 ,le="0.005" 1 ,le="0.01" 2 ,le="0.025" 2 ,le="0.05" 2 ,le="0.1" 2',
      ',le="0.25" 2 ,le="0.5" 2 ,le="1" 2 ,le="2.5" 2 ,le="10" 2 ,le="+Inf" 3',
    ].join(' '),
  )
  assert.equal(`${of('sum')}${of('count')}`, ' 3600.0065 3')
})

test('counts with alerts have a value from the start', () => {
  const text = openMetrics().text()
  for (const status of [500, 503]) assert.ok(text.includes(`housestyle_requests_total{status="${status}"} 0\n`))
  assert.ok(text.includes('housestyle_webhook_attempts_total{result="error"} 0\n'))
})

test('metrics of absent parts are not shown', () => {
  const text = openMetrics().text()
  assert.doesNotMatch(text, /housestyle_(limit_shared|database_connections)/)
})
