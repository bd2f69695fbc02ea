import assert from 'node:assert/strict'
import test from 'node:test'
import { startLimitedNodes } from '../serving/access/limit/limited-nodes.ts'
import { needs } from '../support/programs.ts'
import { untilReplicated } from '../support/redis.ts'
import { startWatched } from '../support/redis-sentinels.ts'

test('during a sentinel failover no request fails, and rates hold', needs('redis-server'), async t => {
  const watched = await startWatched('s3cret', 'watch3r')
  t.after(watched.stop)
  const places = watched.sentinels.map(({ port }) => `127.0.0.1:${port}`)
  const limits = `redis+sentinel://:s3cret@${places.join(',')}/main/1?sentinel_password=watch3r`
  const nodes = await startLimitedNodes(2, limits, '60/600')
  await nodes.untilReadyz('ready')
  const before = await nodes.ask('acme', 100)
  assert.deepEqual(countOf(before), { 200: 60, 429: 40 })
  await untilReplicated(watched.primary)

  const load = nodes.load('acme')
  await watched.primary.stop()
  const killed = performance.now()
  await nodes.untilReadyz('degraded: limits')
  await nodes.untilReadyz('ready')
  const seen = await load.stop()
  t.diagnostic(`the limit was shared again after ${Math.round(performance.now() - killed)} ms: ${JSON.stringify(seen)}`)
  // Each process allowed 30 of the 60 before, and 30 more by itself.
  assert.deepEqual(Object.keys(seen), ['200', '429'])
  assert.equal(seen[200], 60)
  assert.deepEqual(countOf(await nodes.ask('acme', 20)), { 429: 20 })
  assert.deepEqual(countOf(await nodes.ask('busy', 100)), { 200: 60, 429: 40 })

  const log = JSON.stringify(await nodes.stop())
  assert.doesNotMatch(log, /s3cret|watch3r/)
})

/** The count of each status. */
function countOf(statuses: readonly number[]): Record<string, number> {
  const count: Record<string, number> = {}
  for (const status of statuses) count[status] = (count[status] ?? 0) + 1
  return count
}
