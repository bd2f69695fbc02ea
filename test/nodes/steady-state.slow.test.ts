import assert from 'node:assert/strict'
import { join } from 'node:path'
import test from 'node:test'
import { commandsWith, MAIN } from '../program/cli/housestyle.ts'
import { serve } from '../support/command.ts'
import { startPostgres } from '../support/postgres.ts'
import { needs } from '../support/programs.ts'
import { type RedisServer, startRedis } from '../support/redis.ts'
import { startS3 } from '../support/s3.ts'
import { SMALL_BRAND } from '../support/small-brand.ts'
import { temporaryFolder, writeFolder } from '../support/temporary.ts'
import { until } from '../support/until.ts'

const PROJECT = '/beta/workspace/acme/project/guidelines'
const OPERATIONS = [
  '/beta/workspace/acme',
  '/beta/workspace/acme/projects',
  ...['', '/styles', '/pages', '/files', '/page/logo'].map(below => PROJECT + below),
  `${PROJECT}/page/none`,
  '/beta/workspace/acme/project/none',
]

/** A node's own queries, without any request: changes, plans, the availability of the store, and its lease. */
const BY_ITSELF = [
  /FROM change$/,
  /^SELECT value FROM identity/,
  /^SELECT \* FROM copy/,
  /FROM planned_publication/,
  /^(?:DELETE FROM|INSERT INTO) service/,
  /^(?:BEGIN|COMMIT|SET LOCAL|SELECT pg_notify|SELECT pg_advisory_xact_lock)/,
  /clock_timestamp/,
  /pg_stat_statements/,
]

/** The log line after which a node no longer reads guides without any request. */
const PREPARED = 'the latest guides are prepared for their first readers'

test('API requests query neither Postgres nor S3', needs('postgres', 'redis-server', 'swift-proxy-server'), async t => {
  const postgres = await startPostgres(['-c', 'shared_preload_libraries=pg_stat_statements'])
  const [s3, redis] = await Promise.all([startS3(), startRedis()])
  t.after(() => Promise.all([postgres.stop(), s3.stop(), redis.stop()]))
  const folder = await temporaryFolder()
  const database = await postgres.newDatabase()
  const store = ['--database', database, '--files', await s3.newPlace()]
  await writeFolder(join(folder, 'acme'), SMALL_BRAND)
  const run = commandsWith(...store)
  await run('import', join(folder, 'acme'))
  await run('publish', 'acme/guidelines', 'acme/empty')
  const token = (await run('token', 'issue', 'acme')).trim()
  const name = new URL(database).pathname.slice(1)
  await postgres.query('CREATE EXTENSION pg_stat_statements; SELECT pg_stat_statements_reset()', name)
  const service = await serve(MAIN, ...store, '--limits', redis.url, '--rate', '100000/60', '--log', 'debug')
  t.after(service.stop)
  const headers = { authorization: `Bearer ${token}` }
  const ask = async (path: string) => {
    const reply = await fetch(service.url + path, { headers })
    await reply.arrayBuffer()
    return reply.status
  }
  const statements = async () => {
    const { rows } = await postgres.query('SELECT query, calls FROM pg_stat_statements', name)
    return rows.filter(({ query }) => !BY_ITSELF.some(own => own.test(String(query))))
  }
  for (const path of OPERATIONS) await ask(path)
  await until(() => service.logged().includes(PREPARED))
  assert.notDeepEqual(await statements(), [])
  const askMany = async () => {
    await postgres.query('SELECT pg_stat_statements_reset()', name)
    const reads = filesRead(s3).length
    const steps = await scriptsRun(redis)
    const statuses = new Set<number>()
    for (let asked = 0; asked < 300; asked += 20) {
      const paths = Array.from({ length: 20 }, (_, at) => OPERATIONS[(asked + at) % OPERATIONS.length] ?? '')
      for (const status of await Promise.all(paths.map(ask))) statuses.add(status)
    }
    const queries = await statements()
    return { statuses, queries, reads: filesRead(s3).length - reads, steps: (await scriptsRun(redis)) - steps }
  }
  const measured = await askMany()
  assert.deepEqual([...measured.statuses].sort(), [200, 404])
  assert.deepEqual(measured.queries, [])
  assert.equal(measured.reads, 0)
  // The node also checks every few seconds that the limit can be reached.
  assert.ok(measured.steps < 310, `${measured.steps} steps`)

  for (let at = 0; at < 50; at++) assert.equal(await ask(`/nobody-${at}/guide-${at}`), 404)
  for (let at = 0; at < 50; at++) assert.equal(await ask(`/acme/guide-${at}`), 404)
  assert.deepEqual(await statements(), [])
})

/** All requests except the check of the store's availability, every two seconds. */
const filesRead = ({ seen }: { seen: string[] }) => seen.filter(request => !request.includes('/.store?'))

async function scriptsRun({ info }: RedisServer): Promise<number> {
  const counts = (await info('commandstats')).matchAll(/^cmdstat_eval(?:sha)?:calls=(\d+)/gm)
  return Array.from(counts, ([, calls]) => Number(calls)).reduce((sum, calls) => sum + calls, 0)
}
