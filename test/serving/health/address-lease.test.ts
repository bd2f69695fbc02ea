import assert from 'node:assert/strict'
import test from 'node:test'
import { runningServices } from '#publishing/status.ts'
import { leaseAddress } from '#serving/health/address-lease.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const { store } = await temporaryStore()
const reporter = { worked: () => undefined, failed: (error: unknown) => assert.fail(String(error)) }

test('a killed service stays listed for ten seconds after its last lease renewal', async t => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  let now = 1_000_000
  const end = await leaseAddress(store.database, { url: 'http://one.example', clock: () => now, reporter })
  const urlsAt = (time: number) => runningServices(store, new Date(time))
  assert.deepEqual(await urlsAt(now + 9999), ['http://one.example'])
  assert.deepEqual(await urlsAt(now + 10_000), [])
  now += 3000
  t.mock.timers.tick(3000)
  while ((await urlsAt(now + 9999)).length === 0) await new Promise(setImmediate)
  const endOther = await leaseAddress(store.database, { url: 'http://two.example', clock: () => now, reporter })
  assert.deepEqual(await urlsAt(now), ['http://two.example', 'http://one.example'])
  await endOther()
  assert.deepEqual(await urlsAt(now), ['http://one.example'])
  await end()
  assert.deepEqual(await urlsAt(now), [])
})

test('a lease that cannot be written is reported, and the service continues', async () => {
  const failures: unknown[] = []
  const database = { ...store.database, transaction: () => Promise.reject(new Error('full')) }
  const failing = { worked: () => assert.fail('the write succeeded'), failed: (error: unknown) => failures.push(error) }
  const end = await leaseAddress(database, { url: 'http://one.example', clock: () => 0, reporter: failing })
  await end()
  assert.equal(failures.length, 2)
})
