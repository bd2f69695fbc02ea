import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import test, { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openPostgres } from '#store/database/postgres.ts'
import { freePort } from '../../support/free-port.ts'
import { otherUser, startPostgres } from '../../support/postgres.ts'
import { needs, pathOf } from '../../support/programs.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const { skip } = needs('postgres', 'pgbouncer')
const server = skip ? undefined : await startPostgres()
after(() => server?.stop())

for (const [mode, isUsable] of [
  ['session', true],
  ['transaction', false],
  ['statement', false],
] as const)
  test(`a database behind a pooler of ${mode}s is ${isUsable ? 'accepted' : 'refused'}`, { skip }, async t => {
    const address = new URL((await server?.newDatabase()) ?? '')
    const port = await startPooler(t, mode, address)
    address.port = `${port}`
    const opened = openPostgres(address.href)
    if (isUsable) await (await opened).database.close()
    else await assert.rejects(opened, { code: 'store_unreadable', message: /pooler.*name the server itself/ })
  })

test('a pooler that rejects connection settings gets a message about them, without a retry', { skip }, async t => {
  const address = new URL((await server?.newDatabase()) ?? '')
  address.port = `${await startPooler(t, 'session', address, 'extra_float_digits')}`
  const words = /ignore_startup_parameters = statement_timeout.*: unsupported startup parameter: statement_timeout$/
  await assert.rejects(openPostgres(address.href), { mayPass: false, message: words })
})

test('a schema of search_path that does not exist is named in the words of the server', { skip }, async () => {
  const address = `${await server?.newDatabase()}?options=-c%20search_path%3D`
  const missing = /: the schema is missing; create it, or correct search_path: schema "brand" does not exist$/
  await assert.rejects(openPostgres(`${address}brand`), { mayPass: false, message: missing })
  await assert.rejects(openPostgres(address), { message: /or correct search_path: search_path names no schema$/ })
})

test('a new catalogue needs a database whose encoding has every character', { skip }, async () => {
  for (const [encoding, isUsable] of [
    ['LATIN1', false],
    ['WIN1252', false],
    ['SQL_ASCII', true],
  ] as const) {
    const name = `encoded_${encoding.toLowerCase()}`
    await server?.query(`CREATE DATABASE ${name} ENCODING '${encoding}' LOCALE 'C' TEMPLATE template0`)
    const opened = openPostgres(`postgres://postgres@127.0.0.1:${server?.port}/${name}`)
    if (isUsable) await (await opened).database.close()
    else
      await assert.rejects(opened, {
        mayPass: false,
        message: `cannot use the database: the database must be UTF8, and its encoding is ${encoding}; create it with ENCODING 'UTF8' TEMPLATE template0`,
      })
  }
})

test('an older catalogue of another encoding is opened; the encoding is a problem with a fix', { skip }, async () => {
  await server?.query("CREATE DATABASE older ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
  await server?.query('CREATE TABLE migration (number INTEGER PRIMARY KEY)', 'older')
  const { database } = await openPostgres(`postgres://postgres@127.0.0.1:${server?.port}/older`)
  assert.match((await database.problem?.())?.message ?? '', /^has the encoding LATIN1, which lacks characters/)
  await assert.rejects(
    async () => database.get("SELECT '’' AS quote"),
    /: its encoding lacks a character of the content; .*: character with byte sequence .* has no equivalent in encoding "LATIN1"$/,
  )
  await database.close()
})

for (const [user, said] of [
  ['nobody_here', 'role "nobody_here" does not exist'],
  ['locked_out', 'role "locked_out" is not permitted to log in'],
] as const)
  test(`a user who may not log in gets the reason of the server: ${said}`, { skip }, async () => {
    const address = new URL((await server?.newDatabase()) ?? '')
    if (user === 'locked_out') await server?.query('CREATE ROLE locked_out NOLOGIN')
    address.username = user
    await assert.rejects(openPostgres(address.href), ({ message }: Error) => message.endsWith(`: ${said}`))
  })

test('an address with an unencoded @ in its password says how to encode it if no connection can be made', async () =>
  assert.rejects(
    openPostgres('postgres://app:se@cret@127.0.0.1:1/x'),
    /^Error: cannot use the database at 127\.0\.0\.1:1: no server is listening there; .*: @ is %40.*: connect ECONNREFUSED 127\.0\.0\.1:1$/,
  ))

/** Starts PgBouncer in front of a database for the duration of the test. Returns its port. */
async function startPooler(
  t: { after: (end: () => Promise<void>) => void },
  mode: string,
  { port, pathname }: URL,
  ignored = 'statement_timeout,idle_in_transaction_session_timeout',
) {
  const folder = await temporaryFolder()
  const own = await freePort()
  const settings = `[databases]
${pathname.slice(1)} = host=127.0.0.1 port=${port} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
auth_type = any
pool_mode = ${mode}
default_pool_size = 20
min_pool_size = 3
unix_socket_dir =
ignore_startup_parameters = ${ignored}
`
  const path = join(folder, 'pgbouncer.ini')
  await writeFile(path, settings)
  const user = otherUser()
  if (user) for (const each of [folder, path]) chownSync(each, user.uid, user.gid)
  const child = spawn(pathOf('pgbouncer') ?? '', ['-q', path], { ...user, stdio: 'ignore' })
  t.after(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  for (let tries = 0; ; tries++) {
    const socket = connect(own, '127.0.0.1')
    const isUp = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isUp) return own
    if (tries > 100) throw new Error('pgbouncer does not start')
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

test('the server releases the lock of a machine that is gone', needs('postgres'), async () => {
  const server = await startPostgres()
  after(server.stop)
  const { database, locks } = await openPostgres(await server.newDatabase())
  const before = await secondsToProbes(server.port)
  const lock = await locks.tryAcquire('a', 'exclusive')
  assert.ok(before.every(seconds => seconds > 100))
  // The table may lack a row while connections open and close.
  while (!(await secondsToProbes(server.port)).some(seconds => seconds < 20)) await sleep(20)
  await lock?.release()
  await database.close()
})

test('a lock can be checked many times concurrently', needs('postgres'), async t => {
  const server = await startPostgres()
  const { database, locks } = await openPostgres(await server.newDatabase())
  const warned = t.mock.method(process, 'emitWarning')
  const lock = await locks.tryAcquire('a', 'exclusive')
  const ask = () => Promise.allSettled(Array.from({ length: 8 }, () => lock?.assertHeld()))
  const statuses = async () => new Set((await ask()).map(({ status }) => status))
  assert.deepEqual(await statuses(), new Set(['fulfilled']))
  await server.stop()
  assert.deepEqual(await statuses(), new Set(['rejected']))
  await lock?.release()
  await database.close()
  assert.equal(warned.mock.callCount(), 0)
})

/**
 * The seconds until the system next probes each connection of a server on this machine, according to Linux
 * (proc_net_tcp.rst).
 */
async function secondsToProbes(port: number): Promise<number[]> {
  const hexadecimal = port.toString(16).toUpperCase().padStart(4, '0')
  const rows = (await readFile('/proc/net/tcp', 'utf8')).split('\n').map(row => row.trim().split(/\s+/))
  return rows.flatMap(([, local, , state, , timer]) => {
    const [kind, ticks = ''] = (timer ?? '').split(':')
    const isProbed = local?.endsWith(`:${hexadecimal}`) && state === '01' && kind === '02'
    return isProbed ? [Number.parseInt(ticks, 16) / 100] : []
  })
}
