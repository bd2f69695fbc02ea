import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import test, { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openPostgres } from '../../../../src/store/database/postgres.ts'
import { startPostgres } from '../../../support/postgres.ts'
import { needs } from '../../../support/programs.ts'

test(
  'the server asks every ten seconds whether the machine of a lock is still there, and keeps no lock of one that is not',
  needs('postgres'),
  async () => {
    const server = await startPostgres()
    after(server.stop)
    const { database, locks } = await openPostgres(await server.newDatabase())
    const before = await secondsToProbes(server.port)
    const lock = await locks.tryAcquire('a', 'exclusive')
    assert.ok(before.every(seconds => seconds > 100))
    // The table may lack a row while others come and go.
    while (!(await secondsToProbes(server.port)).some(seconds => seconds < 20)) await sleep(20)
    await lock?.release()
    await database.close()
  },
)

test('that a lock is held can be asked many times at once', needs('postgres'), async t => {
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

/** When the system next probes each connection that a server of this machine has, as Linux tells (proc_net_tcp.rst). */
async function secondsToProbes(port: number): Promise<number[]> {
  const hexadecimal = port.toString(16).toUpperCase().padStart(4, '0')
  const rows = (await readFile('/proc/net/tcp', 'utf8')).split('\n').map(row => row.trim().split(/\s+/))
  return rows.flatMap(([, local, , state, , timer]) => {
    const [kind, ticks = ''] = (timer ?? '').split(':')
    const isProbed = local?.endsWith(`:${hexadecimal}`) && state === '01' && kind === '02'
    return isProbed ? [Number.parseInt(ticks, 16) / 100] : []
  })
}
