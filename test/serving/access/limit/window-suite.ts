import assert from 'node:assert/strict'
import test from 'node:test'
import type { Allowance, Limit, Rate } from '#serving/access/limit/limit-memory.ts'
import { fc, forAll, forAllIn } from '../../../support/random.ts'

/** The obvious limit: it keeps every allowed time, and counts the times in the window. */
function plainLimit({ requests, seconds }: Rate) {
  const allowed = new Map<string, number[]>()
  return (workspace: string, nowMs: number): Allowance => {
    const times = allowed.get(workspace) ?? []
    allowed.set(workspace, times)
    const inWindow = () => times.filter(time => time > nowMs - seconds * 1000)
    const isAllowed = inWindow().length < requests
    if (isAllowed) times.push(nowMs)
    const resetMs = Math.min(...inWindow()) + seconds * 1000 - nowMs
    return { isAllowed, remaining: requests - inWindow().length, resetSeconds: Math.ceil(resetMs / 1000) }
  }
}

const asks = fc.array(
  fc.record({
    workspace: fc.constantFrom('a', 'b', 'c'),
    times: fc.integer({ min: 1, max: 40 }),
    afterMs: fc.oneof(fc.constantFrom(0, 1, 999, 1000, 1001, 2000, 3000), fc.integer({ min: 0, max: 2500 })),
  }),
  { maxLength: 60 },
)

/** Tests every limit that counts in this process, with any clock; `open` returns an unused one. */
export function windowSuite(open: (rate: Rate) => Limit<Allowance>): void {
  test('every answer is the same as for a list of all allowed requests, at any rate and for any requests', async () => {
    const rates = fc.record({ requests: fc.integer({ min: 1, max: 150 }), seconds: fc.integer({ min: 1, max: 2 }) })
    await forAllIn(80, [rates, fc.integer({ min: 0, max: 2 ** 41 }), asks], (rate, startMs, steps) => {
      const limit = open(rate)
      const plain = plainLimit(rate)
      let nowMs = startMs
      for (const { workspace, times, afterMs } of steps) {
        nowMs += afterMs
        for (let time = 0; time < times; time++)
          assert.deepEqual(limit.spend(workspace, nowMs), plain(workspace, nowMs))
      }
    })
  })

  test('every answer is the same as for a list of all allowed requests, in every order of a few steps', () => {
    const rate = { requests: 2, seconds: 1 }
    const stepsMs = [0, 1, 499, 500, 999, 1000, 1001]
    const walk = (delays: readonly number[]) => {
      const limit = open(rate)
      const plain = plainLimit(rate)
      let nowMs = 0
      for (const delay of delays) {
        nowMs += delay
        assert.deepEqual(limit.spend('a', nowMs), plain('a', nowMs), `after ${delays}`)
      }
      if (delays.length < 5) for (const delay of stepsMs) walk([...delays, delay])
    }
    walk([])
  })

  test('a backward clock step does not shorten a window, and refuses no client for longer than two windows', () => {
    const rate = { requests: 3, seconds: 60 }
    const limit = open(rate)
    const isAllowed = (nowMs: number) => limit.spend('acme', nowMs).isAllowed
    const times = [100_000, 100_000, 70_000, 70_000, 129_999, 130_000, 159_999]
    assert.deepEqual(times.map(isAllowed), [true, true, true, false, false, false, false])
    assert.deepEqual(limit.spend('acme', 130_000), { isAllowed: false, remaining: 0, resetSeconds: 30 })
    assert.equal(isAllowed(160_000), true)
    assert.deepEqual(limit.spend('acme', 10_000), { isAllowed: true, remaining: 2, resetSeconds: 60 })
  })

  test('the seconds until the next request never exceed the window, even with a precise clock', async () => {
    for (const rate of [
      { requests: 3, seconds: 2 },
      { requests: 600, seconds: 60 },
    ]) {
      await forAll(
        [fc.double({ min: 0, max: 1e9, noNaN: true }), fc.array(fc.double({ min: 0, max: 3000, noNaN: true }))],
        (start, steps) => {
          const limit = open(rate)
          let now = start
          for (const step of [0, ...steps]) {
            now += step
            const { resetSeconds } = limit.spend('a', now)
            assert.ok(resetSeconds >= 1 && resetSeconds <= rate.seconds, `${resetSeconds} at ${now}`)
          }
        },
      )
    }
  })

  test('the first request of a window gets the whole window as reset time, and a later one the remaining seconds', () => {
    for (const start of [0.1, 1.3, 2096.7, 123456.789, 98765432.1]) {
      const limit = open({ requests: 600, seconds: 60 })
      assert.equal(limit.spend('a', start).resetSeconds, 60)
      assert.equal(limit.spend('a', start + 0.5).resetSeconds, 60)
    }
  })
}
