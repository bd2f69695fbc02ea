import assert from 'node:assert/strict'
import test from 'node:test'
import { Redis } from 'ioredis'
import { REDIS, startRedis } from '../../../support/redis.ts'
import { startLimitedNodes } from './limited-nodes.ts'

test('no fault of a limit server fails a request or raises a limit, and each is told once', REDIS, async t => {
  const server = await startRedis()
  t.after(server.stop)
  const redis = new Redis(server.url)
  t.after(() => redis.disconnect())
  const nodes = await startLimitedNodes(1, server.url, '20/600')
  const first = await nodes.ask('acme', 30)
  assert.equal(first.filter(status => status === 200).length, 20)
  const load = nodes.load('acme')
  const faults: readonly [reason: RegExp, begin: () => unknown, end: () => unknown][] = [
    [/^no answer within 200 ms$/, server.pause, server.resume],
    [
      /^OOM command not allowed/,
      () => redis.config('SET', 'maxmemory', '1'),
      () => redis.config('SET', 'maxmemory', '0'),
    ],
    [/^READONLY /, () => redis.call('REPLICAOF', '127.0.0.1', '1'), () => redis.call('REPLICAOF', 'NO', 'ONE')],
    [
      LOST,
      async () => {
        await redis.config('SET', 'requirepass', 's3cret')
        await redis.call('CLIENT', 'KILL', 'TYPE', 'normal')
      },
      () => redis.config('SET', 'requirepass', ''),
    ],
  ]
  for (const [, begin, end] of faults) {
    await nodes.untilReadyz('ready')
    await begin()
    await nodes.untilReadyz('degraded: limits')
    assert.deepEqual(await nodes.metric('housestyle_limit_shared'), ['0'])
    await end()
  }
  await nodes.untilReadyz('ready')
  assert.deepEqual(await nodes.metric('housestyle_limit_shared'), ['1'])
  redis.disconnect()
  await server.stop()
  await nodes.untilReadyz('degraded: limits')
  const seen = await load.stop()
  t.diagnostic(JSON.stringify(seen))
  assert.deepEqual(Object.keys(seen), ['429'])

  const changeLines = (await nodes.stop()).filter(({ msg }) => /^the limit (is|cannot)/.test(`${msg}`))
  const reasons = changeLines.flatMap(({ reason }) => (typeof reason === 'string' ? reason : []))
  const expected = [...faults.map(([reason]) => reason), LOST]
  for (const [at, reason] of expected.entries()) assert.match(reasons[at] ?? '', reason)
  assert.equal(changeLines.length, 2 * expected.length)
})

/** A connection that ends, or that the system ends during a request. */
const LOST = /^the connection was closed$|^(?:read|write|connect) E[A-Z]+/
