import assert from 'node:assert/strict'
import test from 'node:test'
import { array, assert as check, constantFrom, integer, property, record } from 'fast-check'
import { type Allowance, memoryLimit, type Rate } from '../../src/access/allowance.ts'

/** A limit whose clock is set by hand. */
function limitAt(rate: Rate) {
  const clock = { now: 0 }
  return { clock, spend: memoryLimit(rate, () => clock.now).spend }
}

test('a client that asks without pause gets all 600, then none until the first leaves the window', () => {
  const { clock, spend } = limitAt({ requests: 600, seconds: 60 })
  for (let left = 599; left >= 0; left--)
    assert.deepEqual(spend('acme'), { isAllowed: true, remaining: left, resetSeconds: 60 })
  assert.deepEqual(spend('acme'), { isAllowed: false, remaining: 0, resetSeconds: 60 })
  clock.now = 59_999
  assert.deepEqual(spend('acme'), { isAllowed: false, remaining: 0, resetSeconds: 1 })
  clock.now = 60_000
  assert.deepEqual(spend('acme'), { isAllowed: true, remaining: 599, resetSeconds: 60 })
})

test('each workspace has a share of its own', () => {
  const { spend } = limitAt({ requests: 1, seconds: 60 })
  assert.equal(spend('acme').isAllowed, true)
  assert.equal(spend('acme').isAllowed, false)
  assert.equal(spend('other').isAllowed, true)
})

test('requests at an even pace just below the limit are all allowed', () => {
  const { clock, spend } = limitAt({ requests: 600, seconds: 60 })
  for (let request = 0; request < 3000; request++) {
    assert.equal(spend('acme').isAllowed, true)
    clock.now += 100
  }
})

test('any window holds at most the limit, and a request is refused only where it is full, as in a list of times', () => {
  const rates = record({ requests: integer({ min: 1, max: 200 }), seconds: integer({ min: 1, max: 90 }) })
  const steps = array(record({ wait: integer({ min: 0, max: 3000 }), workspace: constantFrom('acme', 'other') }), {
    ...{ maxLength: 400, size: 'max' },
  })
  check(
    property(rates, steps, (rate, asked) => {
      const { clock, spend } = limitAt(rate)
      const model = naiveLimit(rate)
      for (const { wait, workspace } of asked) {
        clock.now += wait
        assert.deepEqual(spend(workspace), model(workspace, clock.now))
      }
    }),
  )
})

/** All times at which requests were allowed, looked through each time. */
function naiveLimit({ requests, seconds }: Rate) {
  const allowed: { workspace: string; at: number }[] = []
  return (workspace: string, now: number): Allowance => {
    const inWindow = () => allowed.filter(each => each.workspace === workspace && each.at > now - seconds * 1000)
    const isAllowed = inWindow().length < requests
    if (isAllowed) allowed.push({ workspace, at: now })
    const oldest = inWindow()[0]?.at ?? now
    return {
      isAllowed,
      remaining: requests - inWindow().length,
      resetSeconds: Math.ceil((oldest + seconds * 1000 - now) / 1000),
    }
  }
}
