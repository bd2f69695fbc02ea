import assert from 'node:assert/strict'
import { once } from 'node:events'
import test from 'node:test'
import { Worker } from 'node:worker_threads'
import type { Rate } from '../../../src/access/limit/limit.ts'
import { memoryLimit } from '../../../src/access/limit/limit-memory.ts'
import { type LimitMemory, limitMemory, sharedLimit } from '../../../src/access/limit/limit-shared.ts'
import { openLock } from '../../../src/threads/lock.ts'
import { fc } from '../../support/random.ts'
import { limitSuite } from './limit-suite.ts'
import { windowSuite } from './window-suite.ts'

const FEW_NAMES = 1000

limitSuite({ skip: false }, rate => sharedLimit(limitMemory(rate, FEW_NAMES), 1))
windowSuite(rate => sharedLimit(limitMemory(rate, FEW_NAMES), 1))

/** Two threads' views of one limit, which take turns by the name. */
function twoViews(rate: Rate) {
  const memory = limitMemory(rate, FEW_NAMES)
  return [sharedLimit(memory, 1), sharedLimit(memory, 2)] as const
}

test('every answer is that of the limit of one thread, whichever thread is asked and whatever the name', () => {
  const names = fc.oneof(
    fc.constantFrom('acme', 'a', '2001:db8:0:1::/64', ''),
    fc.string({ maxLength: 90, unit: 'binary' }),
  )
  const rates = fc.record({ requests: fc.integer({ min: 1, max: 70 }), seconds: fc.integer({ min: 1, max: 2 }) })
  const steps = fc.array(
    fc.tuple(names, fc.boolean(), fc.integer({ min: -50, max: 700 }), fc.integer({ min: 1, max: 40 })),
  )
  fc.assert(
    fc.property(rates, steps, (rate, asked) => {
      const [one, two] = twoViews(rate)
      const single = memoryLimit(rate)
      let nowMs = 1e6
      for (const [name, isFirst, afterMs, times] of asked) {
        nowMs += afterMs
        for (let time = 0; time < times; time++)
          assert.deepEqual((isFirst ? one : two).spend(name, nowMs), single.spend(name, nowMs))
      }
    }),
  )
})

test('threads that ask at once are allowed exactly the rate of each workspace, together', async () => {
  const memory = limitMemory({ requests: 20_000, seconds: 60 })
  const workspaces = ['acme', 'beta', 'gamma']
  const allowed = await Promise.all([1, 2, 3, 4].map(thread => askIn(memory, thread, workspaces)))
  assert.equal(
    allowed.reduce((sum, each) => sum + each, 0),
    60_000,
  )
})

async function askIn(memory: LimitMemory, thread: number, workspaces: readonly string[]): Promise<number> {
  const program = new URL('./limit-thread.ts', import.meta.url)
  const worker = new Worker(program, { workerData: { memory, thread, workspaces, nowMs: 5000 } })
  const [allowed] = await once(worker, 'message')
  return allowed
}

test('if there are more names than are kept, it is one that was quiet for long that is forgotten', () => {
  const limit = sharedLimit(limitMemory({ requests: 2, seconds: 60 }, 100), 1)
  const isAllowed = (name: string, nowMs: number) => limit.spend(name, nowMs).isAllowed
  for (let name = 0; name < 100; name++) assert.ok(isAllowed(`early-${name}`, name))
  assert.ok(isAllowed('acme', 1000))
  for (let name = 0; name < 10_000; name++) {
    limit.spend(`late-${name}`, 1001 + name)
    limit.spend('acme', 1001 + name)
  }
  assert.equal(isAllowed('acme', 12_000), false)
  assert.equal(isAllowed('early-0', 12_000), true)
})

test('workspaces that ask nothing for a window make room for others, before any that asked is forgotten', () => {
  const limit = sharedLimit(limitMemory({ requests: 1, seconds: 1 }, 1000), 1)
  for (let name = 0; name < 50_000; name++) {
    assert.equal(limit.spend(`name-${name}`, name * 3).isAllowed, true)
    if (name > 300) assert.equal(limit.spend(`name-${name - 300}`, name * 3).isAllowed, false, `name-${name - 300}`)
  }
})

test('the times of all workspaces together have a bound, and one of them alone has room for all that it may ask', () => {
  const rate = { requests: 3_000_000, seconds: 60 }
  const memory = limitMemory(rate)
  const memories = [...Object.values(memory.times), ...Object.values(memory.names)]
  const bytes = memories.reduce<number>((sum, each) => sum + (typeof each === 'number' ? 0 : each.byteLength), 0)
  assert.ok(bytes < 64 << 20, `${bytes} bytes`)
  const limit = sharedLimit(memory, 1)
  const spend = (name: string, times: number) => {
    let allowed = 0
    for (let time = 0; time < times; time++) if (limit.spend(name, 0).isAllowed) allowed++
    return allowed
  }
  assert.equal(spend('other', 2_000_000), 2_000_000)
  assert.equal(spend('acme', 3_000_100), 3_000_000)
  assert.equal(limit.spend('acme', 0).remaining, 0)
})

test('a thread that ends while it counts holds up no other, and all counts begin anew', () => {
  const memory = limitMemory({ requests: 1, seconds: 60 }, FEW_NAMES)
  const limit = sharedLimit(memory, 1)
  assert.deepEqual([limit.spend('acme', 0).isAllowed, limit.spend('acme', 0).isAllowed], [true, false])
  limit.ended(2)
  assert.equal(limit.spend('acme', 0).isAllowed, false)
  openLock(memory.lock, 2).take()
  limit.ended(3)
  limit.ended(2)
  assert.deepEqual([limit.spend('acme', 0).isAllowed, limit.spend('acme', 0).isAllowed], [true, false])
})
