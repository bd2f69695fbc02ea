import assert from 'node:assert/strict'
import test from 'node:test'
import { nextAttempt } from '#delivery/events/webhooks/attempt.ts'

const NOW = new Date('2026-05-01T12:00:00.000Z')
const [MINUTE, DAY] = [60, 24 * 3600]

function waitSeconds(attempts: number, status = 500, retryAfter: string | null = null, random = 0): number | undefined {
  const at = nextAttempt({ attempts, status, retryAfter }, NOW, random)
  return at && (at.getTime() - NOW.getTime()) / 1000
}

test('jitter lengthens a wait by up to a tenth', () => {
  assert.equal(waitSeconds(2, 500, null, 0.5), 5.25 * MINUTE)
  assert.equal(waitSeconds(2, 500, null, 1), 5.5 * MINUTE)
})

for (const status of [429, 502, 504])
  test(`${status} only lengthens the wait`, () => {
    assert.equal(waitSeconds(1, status), MINUTE)
    assert.equal(waitSeconds(2, status), 5 * MINUTE)
    assert.equal(waitSeconds(10, status), undefined)
  })

test('Retry-After only lengthens the wait, up to a day', () => {
  for (const [value, seconds] of [
    ['120', 2 * MINUTE],
    ['1', 5],
    ['0', 5],
    ['999999999', DAY],
    ['Fri, 01 May 2026 12:10:00 GMT', 10 * MINUTE],
    ['Fri, 01 May 2026 11:00:00 GMT', 5],
    ['Fri, 01 May 2099 11:00:00 GMT', DAY],
    ['soon', 5],
    ['-5', 5],
    ['1e3', 5],
    ['', 5],
  ] as const)
    assert.equal(waitSeconds(1, 503, value), seconds, value)
  assert.equal(waitSeconds(10, 503, '120'), undefined)
})
