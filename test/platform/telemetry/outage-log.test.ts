import assert from 'node:assert/strict'
import test from 'node:test'
import { openOutageLog } from '#platform/telemetry/outage-log.ts'

test('an outage is logged once when it begins and once when it ends, for any number of reporters', () => {
  const lines: string[] = []
  let now = 0
  const outages = openOutageLog(
    error => lines.push(`began: ${error}`),
    () => lines.push('ended'),
    () => now,
  )
  const [one, other] = [outages.reporter(), outages.reporter()]
  one.worked()
  assert.deepEqual([outages.durationMs(), lines], [undefined, []])
  one.failed('a')
  now = 40
  one.failed('b')
  other.failed('c')
  one.worked()
  assert.deepEqual([outages.durationMs(), lines], [40, ['began: a']])
  other.worked()
  other.worked()
  assert.deepEqual([outages.durationMs(), lines], [undefined, ['began: a', 'ended']])
  other.failed('d')
  assert.deepEqual([outages.durationMs(), lines], [0, ['began: a', 'ended', 'began: d']])
})
