import assert from 'node:assert/strict'
import test, { after, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import type { Rate } from '#serving/access/limit/limit-memory.ts'
import { openRedisLimit } from '#serving/access/limit/limit-redis.ts'
import { needs } from '../../../support/programs.ts'
import { limitsAt, type RedisServer, startRedis } from '../../../support/redis.ts'
import { until } from '../../../support/until.ts'
import { limitSuite } from './limit-suite.ts'

const options = needs('redis-server')
let server: Promise<RedisServer> | undefined
let databases = 0
after(async () => (await server)?.stop())

/** Returns the address of an empty database. */
async function emptyDatabase(): Promise<string> {
  server ??= startRedis({ args: ['--databases', '64'] })
  const { url } = await server
  return `${url}/${databases++}`
}

limitSuite(options, async (rate, after) => {
  const limit = await openRedisLimit(rate, limitsAt(await emptyDatabase()))
  after(limit.close)
  return limit
})

/** Opens an unused limit, and a connection that sees its keys. */
async function open(t: TestContext, rate: Rate) {
  const address = await emptyDatabase()
  const limit = await openRedisLimit(rate, limitsAt(address))
  const redis = new Redis(address)
  t.after(limit.close)
  t.after(() => redis.disconnect())
  return { limit, redis, address }
}

test('a key has the prefix, contains only times, and expires', options, async t => {
  const { limit, redis } = await open(t, { requests: 2, seconds: 60 })
  for (let request = 0; request < 3; request++) await limit.spend('acme', 0)
  await limit.probe()
  await sleep(5)
  assert.deepEqual(await redis.keys('*'), ['housestyle:limit:60:acme'])
  const times = await redis.lrange('housestyle:limit:60:acme', 0, -1)
  assert.equal(times.length, 2)
  for (const time of times) assert.match(time, /^\d{16}$/)
  const leftMs = await redis.pttl('housestyle:limit:60:acme')
  assert.ok(leftMs > 0 && leftMs <= 60_002)
  const short = await open(t, { requests: 2, seconds: 1 })
  await short.limit.spend('acme', 0)
  await until(async () => (await short.redis.keys('*:1:acme')).length === 0)
})

test('a server that has lost the script gets it again', options, async t => {
  const { limit, redis } = await open(t, { requests: 3, seconds: 60 })
  await limit.spend('acme', 0)
  await redis.script('FLUSH')
  const answers = await Promise.all([limit.spend('acme', 0), limit.spend('acme', 0), limit.spend('acme', 0)])
  assert.deepEqual(answers.map(({ isAllowed }) => isAllowed).sort(), [false, true, true])
})

test('processes with two rates share a counter for windows of the same length', options, async t => {
  const { limit: wide, address } = await open(t, { requests: 4, seconds: 60 })
  const narrow = await openRedisLimit({ requests: 2, seconds: 60 }, limitsAt(address))
  t.after(narrow.close)
  for (let request = 0; request < 3; request++) await wide.spend('acme', 0)
  assert.deepEqual(await narrow.spend('acme', 0), { isAllowed: false, remaining: 0, resetSeconds: 60 })
  assert.deepEqual(await wide.spend('acme', 0), { isAllowed: true, remaining: 0, resetSeconds: 60 })
})

for (const [sentence, aheadSeconds, isAllowed, resetSeconds] of [
  ['a small backward step of the server clock does not shorten a window', 30, false, 90],
  ['earlier requests no longer count after the server clock goes back by more than a window', 61, true, 60],
] as const) {
  test(sentence, options, async t => {
    const { limit, redis } = await open(t, { requests: 1, seconds: 60 })
    await redis.rpush('housestyle:limit:60:acme', (Date.now() + aheadSeconds * 1000) * 1000)
    const answer = await limit.spend('acme', 0)
    assert.deepEqual(answer, { isAllowed, remaining: 0, resetSeconds })
  })
}
