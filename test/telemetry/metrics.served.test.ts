import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import test from 'node:test'
import { METRICS } from '../../src/telemetry/metrics-table.ts'
import { needs } from '../support/programs.ts'
import { servedMetrics } from '../support/served-metrics.ts'

const options = needs('postgres', 'promtool', 'redis-server')
const text = options.skip ? '' : await servedMetrics()

test('a service shows every metric of the table', options, () => {
  assert.deepEqual(
    Object.keys(METRICS).filter(name => !text.includes(`# TYPE ${name} `)),
    [],
  )
  for (const sample of [
    'housestyle_request_duration_seconds_count{operation="listProjects",status="401"} 1',
    'housestyle_store_up{part="database"} 1',
    'housestyle_limit_shared 1',
    'housestyle_build_info{version="0.1.0",node="26.0.0"} 1',
    'housestyle_engine_duration_seconds_bucket{engine="postgres",operation="query",result="ok",le="30"}',
  ])
    assert.ok(text.includes(sample), sample)
})

test('promtool accepts the metrics of the service', options, () => {
  const { stderr, stdout, status } = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' })
  assert.deepEqual({ status, said: `${stdout}${stderr}` }, { status: 0, said: '' })
})
