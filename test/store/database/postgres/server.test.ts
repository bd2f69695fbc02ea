import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import test, { after } from 'node:test'
import { openPostgres } from '../../../../src/store/database/postgres.ts'
import { freePort } from '../../../support/free-port.ts'
import { otherUser, startPostgres } from '../../../support/postgres.ts'
import { needs } from '../../../support/programs.ts'
import { temporaryFolder } from '../../../support/temporary.ts'

const { skip } = needs('postgres', 'pgbouncer')
const server = skip ? undefined : await startPostgres()
after(() => server?.stop())

for (const [mode, isUsable] of [
  ['session', true],
  ['transaction', false],
  ['statement', false],
] as const)
  test(`a database behind a pooler of ${mode}s ${isUsable ? 'is accepted' : 'is refused with a clear message'}`, {
    skip,
  }, async t => {
    const address = new URL((await server?.newDatabase()) ?? '')
    const port = await startPooler(t, mode, address)
    address.port = `${port}`
    const opened = openPostgres(address.href)
    if (isUsable) await (await opened).database.close()
    else await assert.rejects(opened, { code: 'store_unreadable', message: /pooler.*name the server itself/ })
  })

test('a pooler that rejects connection settings causes a message about ignoring them, without a retry', {
  skip,
}, async t => {
  const address = new URL((await server?.newDatabase()) ?? '')
  address.port = `${await startPooler(t, 'session', address, 'extra_float_digits')}`
  const words = /unsupported startup parameter: statement_timeout; .*ignore_startup_parameters = statement_timeout/
  await assert.rejects(openPostgres(address.href), { mayPass: false, message: words })
})

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
  const child = spawn('pgbouncer', ['-q', path], { ...user, stdio: 'ignore' })
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
