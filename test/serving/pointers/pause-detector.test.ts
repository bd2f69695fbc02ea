import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { detectPauses } from '../../../src/serving/pointers/pause-detector.ts'

/** A detector whose clock and timer the test controls, and the recoveries that it has started. */
function detector(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] })
  let nowMs = 1_000_000
  const recoveries: PromiseWithResolvers<void>[] = []
  const { recovery, stop } = detectPauses(
    () => nowMs,
    () => {
      const started = Promise.withResolvers<void>()
      recoveries.push(started)
      return started.promise
    },
  )
  t.after(stop)
  const pass = (milliseconds: number) => {
    nowMs += milliseconds
  }
  return { recovery, pass, tick: () => t.mock.timers.tick(100), recoveries }
}

test('while the event loop runs, no request waits', t => {
  const { recovery, pass, tick, recoveries } = detector(t)
  for (let round = 0; round < 50; round++) {
    pass(100)
    assert.equal(recovery(), undefined)
    tick()
  }
  assert.equal(recoveries.length, 0)
})

for (const step of [501, 3_600_000, -30_000])
  test(`after a step of the clock by ${step} ms, all requests wait for one recovery`, async t => {
    const { recovery, pass, tick, recoveries } = detector(t)
    pass(step)
    const waiting = recovery()
    assert.ok(waiting)
    tick()
    assert.equal(recovery(), waiting)
    assert.equal(recoveries.length, 1)
    recoveries[0]?.resolve()
    await waiting
    assert.equal(recovery(), undefined)
  })

test('requests also wait for the recovery from a pause that a timer notices first', async t => {
  const { recovery, pass, tick, recoveries } = detector(t)
  pass(2000)
  tick()
  assert.equal(recoveries.length, 1)
  assert.ok(recovery())
})

test('a second pause during a recovery starts another, which requests wait for', async t => {
  const { recovery, pass, recoveries } = detector(t)
  pass(2000)
  const first = recovery()
  pass(2000)
  const second = recovery()
  assert.notEqual(first, second)
  recoveries[0]?.resolve()
  await first
  assert.equal(recovery(), second)
  recoveries[1]?.resolve()
  await second
  assert.equal(recovery(), undefined)
})
