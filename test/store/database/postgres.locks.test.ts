import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import test, { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openPostgres } from '#store/database/postgres.ts'
import { startPostgres } from '../../support/postgres.ts'
import { needs } from '../../support/programs.ts'

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
