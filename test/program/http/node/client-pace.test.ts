import assert from 'node:assert/strict'
import test from 'node:test'
import { clientPace } from '#program/http/node/client-pace.ts'

/** 16 bytes per millisecond. */
const minRate = { bytes: 480, milliseconds: 30 }

/** Returns how long a client with this time per piece is served, at most `maxMs`. */
function keptMs(piece: { bytes: number; ms: number }, maxMs = 10_000, pace = clientPace(() => minRate)): number {
  let waited = 0
  for (; waited < maxMs && pace.patienceMs(piece.bytes) >= piece.ms; waited += piece.ms)
    pace.took(piece.bytes, piece.ms)
  return waited
}

test('a client that reads nothing has the full time', () => {
  assert.equal(clientPace(() => minRate).patienceMs(128), 30)
})

test('a client that reads at least at the minimum rate is served to the end', () => {
  for (const piece of [
    { bytes: 128, ms: 8 },
    { bytes: 128, ms: 1 },
    { bytes: 16, ms: 1 },
    { bytes: 480, ms: 30 },
  ])
    assert.equal(keptMs(piece) >= 10_000, true, JSON.stringify(piece))
})

test('a client that reads below the minimum rate has little more than the full time', () => {
  for (const piece of [
    { bytes: 128, ms: 9 },
    { bytes: 128, ms: 16 },
    { bytes: 14, ms: 1 },
    { bytes: 1, ms: 1 },
  ])
    assert.ok(keptMs(piece) < 60, JSON.stringify(piece))
})

test('earlier fast reading does not count later', () => {
  const pace = clientPace(() => minRate)
  for (let piece = 0; piece < 1000; piece++) pace.took(128, 0)
  assert.ok(keptMs({ bytes: 128, ms: 9 }, 10_000, pace) < 60)
})

test('time without waiting for the client does not count', () => {
  const pace = clientPace(() => minRate)
  for (let piece = 0; piece < 1000; piece++) pace.took(1, 0)
  assert.equal(pace.patienceMs(1), 30)
})

test('a new rate applies at once, even in the middle of a piece', () => {
  let rate = minRate
  const pace = clientPace(() => rate)
  pace.took(128, 20)
  assert.equal(pace.patienceMs(128, 5), 5)
  rate = { bytes: 480, milliseconds: 10 }
  assert.equal(pace.patienceMs(128, 5), 10)
  assert.equal(pace.patienceMs(128, 15), 0)
  pace.took(128, 9)
  assert.equal(pace.patienceMs(128), 6)
})
