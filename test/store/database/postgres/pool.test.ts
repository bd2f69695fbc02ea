import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import type { Client } from 'pg'
import { openServers } from '#store/database/postgres/connect.ts'
import { openPool } from '#store/database/postgres/pool.ts'
import { sharedPostgres } from '#test/support/engines.ts'
import { temporaryFolder } from '#test/support/temporary.ts'

const { skip, server } = await sharedPostgres()

const backendPid = async (client: Client) => (await client.query('SELECT pg_backend_pid() AS pid')).rows[0].pid

/** A pool of one connection. */
async function openSinglePool(parameters = '') {
  const servers = await openServers(`${await server?.newDatabase()}${parameters}`)
  return openPool(servers, { max: 1, question: 'SELECT 1' })
}

test('waiting work fails with an explanation if a certificate file is removed', { skip }, async () => {
  const file = join(await temporaryFolder(), 'root.pem')
  await writeFile(file, '')
  const pool = await openSinglePool(`?sslmode=disable&sslrootcert=${file}`)
  const failing = pool.use(async client => {
    await client.query('SELECT pg_sleep(0.5)')
    await rm(file)
    throw new Error('failed')
  })
  const waiting = pool.use(backendPid)
  assert.deepEqual(pool.usage(), { busy: 1, idle: 0, waiting: 1 })
  await Promise.all([
    assert.rejects(failing, /^Error: failed$/),
    assert.rejects(waiting, /a file that --database names cannot be read/),
  ])
  await writeFile(file, '')
  assert.ok(await pool.use(backendPid))
  await pool.close()
})

test('work waits five seconds for a free connection and then fails with the reason', { skip }, async () => {
  const pool = await openSinglePool('?connect_timeout=2')
  const slow = pool.use(client => client.query('SELECT pg_sleep(6)'))
  await assert.rejects(pool.use(backendPid), /all connections of this process are busy; check for slow queries/)
  await slow
  await pool.close()
})

test('an idle connection is reused, and replaced once the server has ended it', { skip }, async () => {
  const pool = await openSinglePool()
  const first = await pool.use(backendPid)
  assert.equal(await pool.use(backendPid), first)
  await server?.query(`SELECT pg_terminate_backend(${first})`)
  assert.notEqual(await pool.use(backendPid, () => true), first)
  assert.deepEqual(pool.usage(), { busy: 0, idle: 1, waiting: 0 })
  await pool.close()
})
