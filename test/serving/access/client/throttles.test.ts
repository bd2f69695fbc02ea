import assert from 'node:assert/strict'
import test from 'node:test'
import { openCaches } from '#platform/caches/caches.ts'
import { openLoginThrottle } from '#serving/access/client/throttles.ts'

/** Counts a failure from each address, each for a different client; returns the seconds to wait. */
function failFrom(addresses: readonly string[]): number[] {
  const throttle = openLoginThrottle(() => 0, openCaches())
  return addresses.map((address, at) => throttle.countFailure(`client-${at}`, address))
}

const WITHIN = Array(20).fill(0)

test('failures from one IPv6 network count together, regardless of the 2⁶⁴ addresses of a customer', () => {
  const one = Array.from({ length: 21 }, (_, at) => `2001:db8:1:2:${at.toString(16)}::${at}`)
  assert.deepEqual(failFrom(one), [...WITHIN, 60])
})

test('failures from another IPv6 network count separately', () => {
  const one = Array.from({ length: 20 }, (_, at) => `2001:db8:1:2::${at}`)
  assert.deepEqual(failFrom([...one, '2001:db8:1:3::1', '2001:db8:1:2:ffff::']), [...WITHIN, 0, 60])
})

test('failures from IPv4 count by address, even in IPv6 notation', () => {
  const one = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? '192.0.2.1' : '::ffff:192.0.2.1'))
  assert.deepEqual(failFrom([...one, '::ffff:192.0.2.2', '::ffff:c000:201']), [...WITHIN, 0, 60])
})
