import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import test from 'node:test'
import { readSettings } from '#platform/settings/settings.ts'
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
