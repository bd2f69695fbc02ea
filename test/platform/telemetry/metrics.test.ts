import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import test from 'node:test'
import { readSettings } from '#platform/settings/settings.ts'
import { openMetrics } from '#platform/telemetry/metrics.ts'
import { METRICS } from '#platform/telemetry/metrics-table.ts'
import { startService } from '#program/compose/compose.ts'
import { withStore } from '#program/compose/store.ts'
import { startPostgres } from '../../support/postgres.ts'
import { needs } from '../../support/programs.ts'
import { startRedis } from '../../support/redis.ts'
import { silent } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const options = needs('postgres', 'promtool', 'redis-server')
const text = options.skip ? '' : await servedMetrics()

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

test('a service shows every metric of the table', options, () => {
  const unexpected = Object.keys(METRICS).filter(name => !text.includes(`# TYPE ${name} `))
  assert.deepEqual(unexpected, [])
  for (const sample of [
    'housestyle_request_duration_seconds_count{operation="listProjects",status="401"} 1',
    'housestyle_store_up{part="database"} 1',
    'housestyle_store_up{part="disk"} 1',
    'housestyle_clock_offset_seconds{source="database"} ',
    'housestyle_limit_shared 1',
    'housestyle_build_info{version="0.1.0",node="26.0.0"} 1',
    'housestyle_engine_duration_seconds_bucket{engine="postgres",operation="query",result="ok",le="30"}',
  ])
    assert.ok(text.includes(sample), sample)
})

test('the samples of each metric have the labels of the table', options, () => {
  const samples = [...text.matchAll(/^(housestyle_\w+?)(?:_bucket|_sum|_count)?(?:\{(.*)\})? \S+$/gm)]
  assert.ok(samples.length > 40)
  for (const [sample, name = '', labels = ''] of samples) {
    const names = [...labels.matchAll(/(\w+)="/g)].map(([, label]) => label).filter(label => label !== 'le')
    const [, metric] = Object.entries(METRICS).find(([known]) => known === name) ?? []
    assert.deepEqual(names, metric?.labels, sample)
  }
})

test('promtool accepts the metrics of the service', options, () => {
  const { stderr, stdout, status } = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' })
  assert.deepEqual({ status, said: `${stdout}${stderr}` }, { status: 0, said: '' })
})

/** The `/metrics` of a service after some requests, with its catalogue in Postgres and a shared limit. */
async function servedMetrics(): Promise<string> {
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()])
  try {
    const engines = { database: await postgres.newDatabase(), limits: redis.url }
    const flags = {
      data: join(await temporaryFolder(), 'data'),
      port: '0',
      git: 'http://127.0.0.1:1/brand.git',
      ...engines,
    }
    const settings = readSettings({ environment: {}, file: {}, trust: [], readSecret: () => '', flags })
    return await withStore(settings, async store => {
      const options = {
        build: { version: '0.1.0', node: '26.0.0' },
        kill: (id: number, signal: NodeJS.Signals) => void process.kill(id, signal),
      }
      const { url, stop } = await startService(settings, store, silent, options)
      for (const path of ['/', '/beta/workspace/acme/projects', '/nowhere']) await (await fetch(url + path)).text()
      const text = await (await fetch(`${url}/metrics`)).text()
      await stop()
      return text
    })
  } finally {
    await Promise.all([postgres.stop(), redis.stop()])
  }
}
