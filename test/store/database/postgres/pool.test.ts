import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { after } from 'node:test'
import type { PoolClient } from 'pg'
import { openServers } from '../../../../src/store/database/postgres/connect.ts'
import { openPool } from '../../../../src/store/database/postgres/pool.ts'
import { startPostgres } from '../../../support/postgres.ts'
import { needs } from '../../../support/programs.ts'
import { temporaryFolder } from '../../../support/temporary.ts'

const { skip } = needs('postgres')
const server = skip ? undefined : await startPostgres()
after(() => server?.stop())

const processOf = async (client: PoolClient) => (await client.query('SELECT pg_backend_pid() AS pid')).rows[0].pid

/** A pool of one connection. */
async function openOne(parameters = '') {
  const servers = await openServers(`${await server?.newDatabase()}${parameters}`)
  return openPool(servers, { max: 1, question: async ({ client }) => void (await client.query('SELECT 1')) })
}

test('waiting work fails with an explanation after a certificate file was removed', { skip }, async () => {
  const file = join(await temporaryFolder(), 'root.pem')
  await writeFile(file, '')
  const pool = await openOne(`?sslmode=disable&sslrootcert=${file}`)
  const failing = pool.use(async client => {
    await client.query('SELECT pg_sleep(0.5)')
    await rm(file)
    throw new Error('failed')
  })
  const waiting = pool.use(processOf)
  assert.deepEqual(pool.usage(), { busy: 1, idle: 0, waiting: 1 })
  await Promise.all([
    assert.rejects(failing, /^Error: failed$/),
    assert.rejects(waiting, /a file that --database names cannot be read/),
  ])
  await writeFile(file, '')
  assert.ok(await pool.use(processOf))
  await pool.close()
})

test('work waits five seconds for a free connection and then fails with the reason', { skip }, async () => {
  const pool = await openOne('?connect_timeout=2')
  const slow = pool.use(client => client.query('SELECT pg_sleep(6)'))
  const begun = performance.now()
  await assert.rejects(pool.use(processOf), /all connections of this process are busy; check for slow queries/)
  const waited = performance.now() - begun
  assert.ok(waited > 4900 && waited < 5900, `it waited for ${waited} ms`)
  await slow
  await pool.close()
})

test('an idle connection is used again, and replaced once the server has ended it', { skip }, async () => {
  const pool = await openOne()
  const first = await pool.use(processOf)
  assert.equal(await pool.use(processOf), first)
  await server?.query(`SELECT pg_terminate_backend(${first})`)
  assert.notEqual(await pool.use(processOf, () => true), first)
  assert.deepEqual(pool.usage(), { busy: 0, idle: 1, waiting: 0 })
  await pool.close()
})
