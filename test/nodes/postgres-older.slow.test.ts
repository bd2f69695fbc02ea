import assert from 'node:assert/strict'
import { join } from 'node:path'
import test, { after } from 'node:test'
import { commandsWith, MAIN } from '../program/cli/housestyle.ts'
import { serve } from '../support/command.ts'
import { startPostgres } from '../support/postgres.ts'
import { needs } from '../support/programs.ts'
import { startRelay } from '../support/relay.ts'
import { temporaryFolder, writeFolder } from '../support/temporary.ts'
import { until } from '../support/until.ts'

/* A service runs while an older Postgres database takes the place of its database, at the same address. */

const { skip } = needs('postgres')
const { skip: standbySkip } = needs('postgres', 'pg_basebackup')
const stops: (() => Promise<unknown>)[] = []
after(async () => {
  for (const stop of stops.reverse()) await stop()
})

/** Runs commands on a store and serves it; `publish` publishes a page with this title, which `untilServed` waits for. */
async function storeAt(database: string) {
  const store = ['--database', database, '--data', join(await temporaryFolder(), 'data')]
  const folder = join(await temporaryFolder(), 'acme')
  const run = commandsWith(...store)
  const publish = async (title: string) => {
    const project = { 'guide/project.yaml': 'name: Guide\nvisibility: public\n' }
    await writeFolder(folder, { ...project, 'guide/pages/a.md': `# ${title}\n` })
    await run('import', folder)
    await run('publish', 'acme/guide')
  }
  const start = async () => {
    const service = await serve(MAIN, ...store, '--rate', 'off')
    stops.push(service.stop)
    const ask = async (path: string, token = '') => {
      const headers = token === '' ? {} : { authorization: `Bearer ${token}` }
      const reply = await fetch(service.url + path, { headers })
      return { status: reply.status, text: await reply.text() }
    }
    const statusOf = async (token: string) => (await ask('/beta/workspace/acme/project/guide/page/a', token)).status
    const untilServed = (title: string) => until(async () => (await ask('/acme/guide/a')).text.includes(title))
    /** Stops the service, and returns the level of each line about an older database. */
    const olderLines = async () => {
      await service.stop()
      const lines = (await service.log).split('\n').filter(line => line.includes('older'))
      return lines.map(line => JSON.parse(line).level)
    }
    return { ask, statusOf, untilServed, olderLines }
  }
  return { run, publish, start }
}

/** A standby that is as new as its primary, and receives no later changes. */
async function startStandbyLeftBehind(primary: Awaited<ReturnType<typeof startPostgres>>) {
  const standby = await primary.startStandby()
  stops.push(standby.stop)
  const receives = async (count: number) =>
    (await standby.query('SELECT 1 FROM pg_stat_wal_receiver')).rowCount === count
  await until(() => receives(1))
  await standby.query("ALTER SYSTEM SET primary_conninfo = ''")
  await standby.query('SELECT pg_reload_conf()')
  await until(() => receives(0))
  return standby
}

test('after a restored backup, a service serves what the backup has, and obeys new revocations and publications', {
  skip,
}, async () => {
  const postgres = await startPostgres()
  stops.push(postgres.stop)
  const { run, publish, start } = await storeAt(await postgres.newDatabase())
  await publish('One')
  const { token, jti } = JSON.parse(await run('token', 'issue', 'acme', '--json'))
  await postgres.query('CREATE DATABASE backup TEMPLATE store1')
  for (const title of ['Two', 'Three', 'Four']) await publish(title)
  const { ask, statusOf, untilServed, olderLines } = await start()
  await untilServed('Four')
  assert.equal(await statusOf(token), 200)

  await postgres.query('ALTER DATABASE store1 ALLOW_CONNECTIONS false')
  await postgres.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'store1'")
  await postgres.query('ALTER DATABASE store1 RENAME TO lost')
  await postgres.query('ALTER DATABASE backup RENAME TO store1')
  await untilServed('One')
  await until(async () => (await statusOf(token)) === 200)
  await run('token', 'revoke', jti)
  await until(async () => (await statusOf(token)) === 401)
  await publish('Five')
  await untilServed('Five')
  assert.equal((await ask('/readyz')).text, 'ready\n')
  assert.deepEqual(await olderLines(), [40])
})

test('a late standby brings back no revoked token until it is promoted', { skip: standbySkip }, async () => {
  const primary = await startPostgres()
  stops.push(primary.stop)
  const { pathname } = new URL(await primary.newDatabase())
  const relay = await startRelay(primary.port)
  stops.push(relay.stop)
  const { run, publish, start } = await storeAt(`postgres://postgres@127.0.0.1:${relay.port}${pathname}`)
  await publish('One')
  const { token, jti } = JSON.parse(await run('token', 'issue', 'acme', '--json'))
  const standby = await startStandbyLeftBehind(primary)
  await run('token', 'revoke', jti)
  await publish('Two')
  const { ask, statusOf, untilServed, olderLines } = await start()
  await untilServed('Two')
  assert.equal(await statusOf(token), 401)

  await primary.kill('SIGKILL')
  relay.switchTo(standby.port)
  await until(async () => (await ask('/readyz')).text === 'degraded: database\n')
  const connections = relay.connections()
  for (let status = 401; relay.connections() < connections + 5; status = await statusOf(token))
    assert.equal(status, 401)
  assert.match((await ask('/acme/guide/a')).text, /Two/)
  await standby.query('SELECT pg_promote()')
  await untilServed('One')
  await until(async () => (await statusOf(token)) === 200)
  await run('token', 'revoke', jti)
  await until(async () => (await statusOf(token)) === 401)
  assert.deepEqual(await olderLines(), [40])
})

test('a token that was revoked on the new primary before a service reached it is refused', {
  skip: standbySkip,
}, async () => {
  const primary = await startPostgres()
  stops.push(primary.stop)
  const { pathname } = new URL(await primary.newDatabase())
  const relay = await startRelay(primary.port)
  stops.push(relay.stop)
  const { run, publish, start } = await storeAt(`postgres://postgres@127.0.0.1:${relay.port}${pathname}`)
  await publish('One')
  const { token, jti } = JSON.parse(await run('token', 'issue', 'acme', '--json'))
  const other = JSON.parse(await run('token', 'issue', 'acme', '--json'))
  const standby = await startStandbyLeftBehind(primary)
  await run('token', 'revoke', other.jti)
  const { statusOf } = await start()
  assert.deepEqual([await statusOf(token), await statusOf(other.token)], [200, 401])

  await primary.kill('SIGKILL')
  await standby.query('SELECT pg_promote()')
  const database = pathname.slice(1)
  await standby.query(`UPDATE token SET revoked_at = issued_at WHERE jti = '${jti}'`, database)
  await standby.query('INSERT INTO change (number) SELECT MAX(number) + 1 FROM change', database)
  relay.switchTo(standby.port)
  await until(async () => (await statusOf(token)) === 401)
  await until(async () => (await statusOf(other.token)) === 200)
})
