import assert from 'node:assert/strict'
import { join } from 'node:path'
import test, { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { commandsWith, housestyle, housestyleProcess, MAIN } from '../program/cli/housestyle.ts'
import { serve } from '../support/command.ts'
import { startPostgres } from '../support/postgres.ts'
import { needs } from '../support/programs.ts'
import { startRelay } from '../support/relay.ts'
import { temporaryFolder, writeFolder } from '../support/temporary.ts'
import { until } from '../support/until.ts'

/* A primary and a standby that follows it, both named in one address. */

const { skip } = needs('postgres', 'pg_basebackup')
const PROJECT = '/beta/workspace/acme/project/guide'

const stops: (() => Promise<unknown>)[] = []
after(async () => {
  for (const stop of stops.reverse()) await stop()
})

test('after a Postgres failover, a service uses the new primary and has every published revision', {
  skip,
}, async t => {
  const primary = await startPostgres()
  stops.push(primary.stop)
  const { pathname } = new URL(await primary.newDatabase())
  const standby = await primary.startStandby()
  stops.push(standby.stop)
  const database = `postgres://postgres@127.0.0.1:${standby.port},127.0.0.1:${primary.port}${pathname}?target_session_attrs=read-write`
  const store = ['--database', database, '--data', join(await temporaryFolder(), 'data')]
  const run = commandsWith(...store)
  const folder = join(await temporaryFolder(), 'acme')
  const publish = async (revision: number) => {
    await writeFolder(folder, { 'guide/project.yaml': 'name: Guide\n', 'guide/pages/a.md': `# Revision ${revision}\n` })
    await run('import', folder)
    await run('publish', 'acme/guide')
  }
  await publish(1)
  const token = (await run('token', 'issue', 'acme')).trim()
  const service = await serve(MAIN, ...store, '--rate', 'off')
  stops.push(service.stop)
  const headers = { authorization: `Bearer ${token}` }
  const ask = async (path: string) => {
    const reply = await fetch(service.url + path, { headers })
    return { status: reply.status, text: await reply.text() }
  }
  const untilServed = (revision: number) =>
    until(async () => {
      const reply = await fetch(service.url + PROJECT, { headers })
      return Number.parseInt(`${reply.headers.get('housestyle-revision')}`, 10) === revision
    })
  await publish(2)
  await untilServed(2)

  const seen: Record<number, number> = {}
  const stopping = new AbortController()
  const asking = (async () => {
    for (; !stopping.signal.aborted; await sleep(20)) {
      const { status } = await ask(PROJECT)
      seen[status] = (seen[status] ?? 0) + 1
    }
  })()
  const { lsn } = (await primary.query('SELECT pg_current_wal_lsn()::text AS lsn')).rows[0]
  await until(async () => {
    const { rows } = await standby.query(`SELECT pg_last_wal_replay_lsn() >= '${lsn}' AS is_there`)
    return rows[0].is_there
  })
  const began = performance.now()
  await primary.kill('SIGKILL')
  await until(async () => (await ask('/readyz')).text === 'degraded: database\n')
  const refused = await housestyleProcess(['publish', 'acme/guide', ...store])
  assert.equal(refused.status, 1)
  assert.match(
    refused.stderr,
    /^housestyle: [^\n]*it is read-only now; [^\n]*no server is listening there; start the server[^\n]*\n$/,
  )
  // The new primary may be older, so tokens are refused with 503 until the service has read it.
  stopping.abort()
  await asking
  t.diagnostic(`without a database: ${JSON.stringify(seen)}`)
  assert.deepEqual(Object.keys(seen), ['200'])
  await standby.query('SELECT pg_promote()')
  await until(async () => (await ask('/readyz')).text === 'ready\n')
  t.diagnostic(`ready again ${Math.round(performance.now() - began)} ms after the primary was killed`)
  await publish(3)
  await untilServed(3)
  assert.match((await ask(`${PROJECT}/page/a`)).text, /Revision 3/)
  const history = JSON.parse(await run('history', 'acme/guide', '--json'))
  const revisions = history.map(({ revision }: { revision: number }) => revision)
  assert.deepEqual(revisions, [3, 2, 1])
})

test('a service that starts while Postgres is unavailable logs that once and waits', { skip }, async () => {
  const postgres = await startPostgres()
  stops.push(postgres.stop)
  const address = new URL(await postgres.newDatabase())
  const relay = await startRelay(postgres.port)
  stops.push(relay.stop)
  address.port = `${relay.port}`
  await postgres.kill('SIGINT')
  const starting = serve(MAIN, '--database', address.href, '--data', join(await temporaryFolder(), 'data'))
  await until(() => relay.connections() >= 2)
  await postgres.start()
  const service = await starting
  assert.equal(await (await fetch(`${service.url}/readyz`)).text(), 'ready\n')
  assert.equal(await service.stop(), 0)
  const said = (await service.log).split('\n').filter(line => line.includes('waits up to 30 seconds for its database'))
  assert.equal(said.length, 1)
  assert.match(said[0] ?? '', /the connection was lost; /)
})

test('doctor reports an unavailable database with advice', { skip }, async () => {
  const address = ['--database', 'postgres://brand:sesame@127.0.0.1:1/x', '--data', await temporaryFolder()]
  const { status, stdout } = await housestyle(['doctor', '--json', ...address])
  const problems = JSON.parse(stdout).filter(({ check }: { check: string }) => check !== 'rights')
  const message =
    'cannot be used: cannot use the database at 127.0.0.1:1: no server is listening there: connect ECONNREFUSED 127.0.0.1:1'
  const fix = 'start the server, or correct --database'
  assert.deepEqual([status, problems], [1, [{ check: 'unreachable', subject: 'the store', message, fix }]])
})

test('a service with a wrong database address does not wait: it ends with advice, without showing the password', {
  skip,
}, async () => {
  const ran = await housestyleProcess([
    'serve',
    '--database',
    'postgres://brand:sesame@127.0.0.1:1/x?sslrootcert=/none',
    '--data',
    await temporaryFolder(),
  ])
  assert.equal(ran.status, 1)
  assert.match(ran.stderr, /^housestyle: [^\n]*a file that --database names cannot be read[^\n]*\n$/)
  assert.doesNotMatch(ran.stderr, /sesame/)
})
