import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { memoryLimit } from '#serving/access/limit/limit-memory.ts'
import {
  type LimitWithFallback,
  openLimitWithFallback,
  type SharingChange,
} from '#serving/access/limit/limit-with-fallback.ts'
import { freePort } from '../../../support/free-port.ts'
import { limitsAt, REDIS, startRedis } from '../../../support/redis.ts'
import { until } from '../../../support/until.ts'
import { limitSuite } from './limit-suite.ts'

const options = REDIS

limitSuite(options, async (rate, after) => {
  const server = await startRedis()
  after(server.stop)
  const limit = await openLimitWithFallback(memoryLimit(rate), limitsAt(server.url), () => {})
  after(limit.close)
  return limit
})

limitSuite({ skip: false }, async (rate, after) => {
  const limit = await openLimitWithFallback(
    memoryLimit(rate),
    limitsAt(`redis://127.0.0.1:${await freePort()}`),
    () => {},
  )
  after(limit.close)
  return limit
})

const rate = { requests: 3, seconds: 60 }

async function open(t: TestContext, address: string, of = rate) {
  const changes: SharingChange[] = []
  const limit = await openLimitWithFallback(memoryLimit(of), limitsAt(address), change => changes.push(change))
  t.after(limit.close)
  return { limit, changes }
}

/** Opens a limit that shares, and its later changes. A busy machine may exceed the time for the first reply. */
async function openShared(t: TestContext, address: string) {
  const { limit, changes } = await open(t, address)
  await until(() => changes.at(-1)?.isShared === true)
  changes.length = 0
  return { limit, changes }
}

/** No time passes between requests, so that no answer says one second less. */
const nowMs = Date.now()
const ask = (limit: LimitWithFallback) => limit.spend('acme', nowMs)

test('a server that is missing at startup is used as soon as it is available', options, async t => {
  const port = await freePort()
  const { limit, changes } = await open(t, `redis://127.0.0.1:${port}`)
  assert.deepEqual(changes, [{ isShared: false, reason: `connect ECONNREFUSED 127.0.0.1:${port}` }])
  assert.deepEqual(ask(limit), { isAllowed: true, remaining: 2, resetSeconds: 60 })
  const server = await startRedis({ port })
  t.after(server.stop)
  await until(() => changes.length >= 2)
  assert.deepEqual(changes[1], { isShared: true })
  assert.deepEqual(await ask(limit), { isAllowed: true, remaining: 2, resetSeconds: 60 })
})

test('while the server is away, the process counts on its own', options, async t => {
  const server = await startRedis()
  const { limit, changes } = await openShared(t, server.url)
  await ask(limit)
  await server.stop()
  assert.deepEqual(await ask(limit), { isAllowed: true, remaining: 1, resetSeconds: 60 })
  assert.deepEqual(ask(limit), { isAllowed: true, remaining: 0, resetSeconds: 60 })
  assert.deepEqual(ask(limit), { isAllowed: false, remaining: 0, resetSeconds: 60 })
  const again = await startRedis({ port: server.port })
  t.after(again.stop)
  await until(() => changes.length >= 2)
  assert.deepEqual(changes, [{ isShared: false, reason: 'the connection was closed' }, { isShared: true }])
  assert.deepEqual(await ask(limit), { isAllowed: true, remaining: 2, resetSeconds: 60 })
})

for (const [sentence, hang] of [
  ['a server that hangs', async () => {}],
  ['a server that hangs until its connections time out', async () => sleep(2500)],
] as const) {
  test(`${sentence} delays requests only once, and is shared again when it continues`, options, async t => {
    const server = await startRedis()
    t.after(server.stop)
    const { limit, changes } = await openShared(t, server.url)
    server.pause()
    const answers = await Promise.all([ask(limit), ask(limit), ask(limit), ask(limit)])
    const isAlloweds = answers.map(({ isAllowed }) => isAllowed)
    assert.deepEqual(isAlloweds, [true, true, true, false])
    assert.deepEqual(ask(limit), { isAllowed: false, remaining: 0, resetSeconds: 60 })
    await hang()
    server.resume()
    await until(() => changes.length >= 2)
    assert.deepEqual(changes, [{ isShared: false, reason: 'no answer within 200 ms' }, { isShared: true }])
    assert.ok(ask(limit) instanceof Promise)
  })
}

test('a server that hangs at startup does not keep the process from starting', options, async t => {
  const server = await startRedis()
  t.after(server.stop)
  server.pause()
  const { limit, changes } = await open(t, server.url)
  assert.equal(changes.length, 1)
  assert.equal(changes[0]?.isShared, false)
  assert.deepEqual(ask(limit), { isAllowed: true, remaining: 2, resetSeconds: 60 })
  server.resume()
  await until(() => changes.length >= 2)
  assert.deepEqual(changes[1], { isShared: true })
})

test('requests do not wait for a slow server', options, async t => {
  const server = await startRedis()
  const redis = new Redis(server.url)
  t.after(() => redis.disconnect())
  t.after(server.stop)
  const { limit, changes } = await openShared(t, server.url)
  await redis.call('CLIENT', 'PAUSE', '10000', 'ALL')
  assert.deepEqual(await ask(limit), { isAllowed: true, remaining: 2, resetSeconds: 60 })
  assert.deepEqual(changes[0], { isShared: false, reason: 'no answer within 200 ms' })
  assert.deepEqual(ask(limit), { isAllowed: true, remaining: 1, resetSeconds: 60 })
})

test('an answer that arrives in the last of its 200 ms counts', options, async t => {
  const server = await startRedis()
  t.after(server.stop)
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  const { limit, changes } = await open(t, server.url)
  const asked = ask(limit)
  for (let step = 1; step < 8; step++) t.mock.timers.tick(25)
  assert.deepEqual(await asked, { isAllowed: true, remaining: 2, resetSeconds: 60 })
  assert.deepEqual(changes, [{ isShared: true }])
})

test('an answer that arrives while the process is blocked counts', options, async t => {
  const server = await startRedis()
  t.after(server.stop)
  const { limit, changes } = await openShared(t, server.url)
  const asked = ask(limit)
  // After two event loop turns, it is sent.
  for (let turn = 0; turn < 2; turn++) await setImmediate()
  for (const endMs = performance.now() + 2500; performance.now() < endMs; );
  assert.deepEqual(await asked, { isAllowed: true, remaining: 2, resetSeconds: 60 })
  assert.deepEqual(changes, [])
})

test('a read-only server is not shared, which is reported once', options, async t => {
  const server = await startRedis({ args: ['--maxmemory', '1', '--maxmemory-policy', 'noeviction'] })
  t.after(server.stop)
  const { limit, changes } = await open(t, server.url)
  await sleep(2200)
  assert.deepEqual(ask(limit), { isAllowed: true, remaining: 2, resetSeconds: 60 })
  assert.equal(changes.length, 1)
  assert.match(JSON.stringify(changes), /OOM command not allowed/)
})

test('user and password are sent as written, and are never shown', options, async t => {
  const password = 'p@ss/w:örd%'
  const server = await startRedis({ password })
  t.after(server.stop)
  const place = `127.0.0.1:${server.port}`
  await openShared(t, `redis://:${encodeURIComponent(password)}@${place}`)
  await openShared(t, `redis://default:${encodeURIComponent(password)}@${place}/1`)
  const wrong = await open(t, `redis://default:s3cret@${place}`)
  assert.equal(wrong.changes.length, 1)
  assert.match(JSON.stringify(wrong.changes), /WRONGPASS/)
  assert.doesNotMatch(JSON.stringify(wrong.changes), /s3cret/)
})

test('a closed limit reports nothing more', options, async t => {
  const server = await startRedis()
  t.after(server.stop)
  const { limit, changes } = await openShared(t, server.url)
  void ask(limit)
  limit.close()
  await sleep(100)
  assert.deepEqual(changes, [])
})
