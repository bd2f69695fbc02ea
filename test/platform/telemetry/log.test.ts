import assert from 'node:assert/strict'
import test from 'node:test'
import { onceAMinute } from '#platform/telemetry/log.ts'

test('a long-lasting event is reported when it begins, and then once a minute', () => {
  const told: number[] = []
  let nowMs = 0
  const tell = onceAMinute(
    (at: number) => told.push(at),
    () => nowMs,
  )
  for (; nowMs <= 150_000; nowMs += 100) tell(nowMs)
  assert.deepEqual(told, [0, 60_000, 120_000])
})
