import assert from 'node:assert/strict'
import test from 'node:test'
import { openClockWatch } from '#platform/telemetry/clock-watch.ts'

const NOW = Date.parse('2026-06-01T12:00:00Z')

/** A watch and the lines that it logs. */
function watching() {
  const lines: string[] = []
  return { lines, ...openClockWatch(() => NOW, { warn: (_, text) => void lines.push(text) }) }
}

test('a reply whose date differs by more than a minute from the clock of the service gives a warning once a minute', () => {
  for (const [date, age, offsetMs, said] of [
    ['Mon, 01 Jun 2026 17:00:00 GMT', '0', 18_000_000, '18000 s behind'],
    ['Mon, 01 Jun 2026 07:00:00 GMT', '0', -18_000_000, '18000 s ahead of'],
    ['Mon, 01 Jun 2026 11:59:01 GMT', '0', -59_000, undefined],
    ['Mon, 01 Jun 2026 11:50:00 GMT', '599', -1000, undefined],
  ] as const) {
    const { lines, compare, offsetMs: last } = watching()
    for (let times = 0; times < 3; times++) compare(new Headers({ date, age }))
    assert.equal(last(), offsetMs)
    assert.equal(lines.length, said === undefined ? 0 : 1)
    if (said !== undefined) assert.ok(lines[0]?.startsWith(`the clock of this service is ${said} that of an issuer: `))
  }
})

test('a reply without a valid date changes nothing', () => {
  const { lines, compare, offsetMs } = watching()
  for (const date of ['', 'yesterday']) compare(new Headers({ date }))
  compare(new Headers())
  assert.deepEqual([lines, offsetMs()], [[], undefined])
})

test('signed tokens that begin in the future give one warning in a minute', () => {
  const { lines, early } = watching()
  early('https://issuer.example', 18_000_000)
  early('https://issuer.example', 18_000_000)
  assert.equal(lines.length, 1)
  assert.match(lines[0] ?? '', /^tokens of an issuer are refused because they begin in the future: the clock of this/)
})
