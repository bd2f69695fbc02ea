import assert from 'node:assert/strict'
import test from 'node:test'
import { nextHour, openUses } from '../../../src/access/last-use/uses.ts'

const HOUR_MS = 3_600_000
const NOON = Date.UTC(2026, 10, 23, 12)

test('an item is due once an hour, with the start of that hour, regardless of its number of uses', () => {
  const uses = openUses()
  for (const nowMs of [NOON + 1, NOON + 2, NOON + HOUR_MS - 1]) uses.mark('token', 'a', nowMs)
  uses.mark('share', 'a', NOON + 5)
  const due = uses.due(10)
  assert.deepEqual(due, [
    { kind: 'token', id: 'a', hourMs: NOON },
    { kind: 'share', id: 'a', hourMs: NOON },
  ])
  uses.written(due)
  uses.mark('token', 'a', NOON + 10)
  assert.deepEqual(uses.due(10), [])
  uses.mark('token', 'a', NOON + HOUR_MS)
  assert.deepEqual(uses.due(10), [{ kind: 'token', id: 'a', hourMs: NOON + HOUR_MS }])
})

test('a use in a later hour replaces an unwritten one, also while that one is being written', () => {
  const uses = openUses()
  uses.mark('client', 'a', NOON)
  const due = uses.due(10)
  uses.mark('client', 'a', NOON + HOUR_MS)
  uses.written(due)
  assert.deepEqual(uses.due(10), [{ kind: 'client', id: 'a', hourMs: NOON + HOUR_MS }])
})

test('the number of remembered items is limited, also while nothing can be written', () => {
  const uses = openUses(3)
  for (let hour = 0; hour < 3; hour++)
    for (let at = 0; at < 5; at++) uses.mark('token', `${hour} ${at}`, NOON + hour * HOUR_MS)
  assert.deepEqual(
    uses.due(10).map(({ id }) => id),
    ['0 0', '0 1', '0 2'],
  )
  assert.equal(uses.due(2).length, 2)
})

test('a clock that is set back starts an earlier hour', () => {
  const uses = openUses()
  uses.mark('token', 'a', NOON)
  uses.mark('token', 'b', NOON - 1)
  assert.deepEqual(
    uses.due(10).map(({ hourMs }) => hourMs),
    [NOON, NOON - HOUR_MS],
  )
})

test('the next hour begins after the current one', () => {
  assert.deepEqual([NOON, NOON + HOUR_MS - 1].map(nextHour), [NOON + HOUR_MS, NOON + HOUR_MS])
})
