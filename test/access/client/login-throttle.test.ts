import assert from 'node:assert/strict'
import test from 'node:test'
import { openLoginThrottle } from '../../../src/access/client/login-throttle.ts'
import { openCaches } from '../../../src/caches/caches.ts'

/** Counts a failure from each address, of another client each time; gives the seconds to wait that are told. */
function failFrom(addresses: readonly string[]): number[] {
  const throttle = openLoginThrottle(() => 0, openCaches())
  return addresses.map((address, at) => throttle.countFailure(`client-${at}`, address))
}

const WITHIN = Array(20).fill(0)

test('failures from one network of IPv6 count together, whatever the addresses in it: a customer has 2⁶⁴ of them', () => {
  const one = Array.from({ length: 21 }, (_, at) => `2001:db8:1:2:${at.toString(16)}::${at}`)
  assert.deepEqual(failFrom(one), [...WITHIN, 60])
})

test('failures from another network of IPv6 count apart', () => {
  const one = Array.from({ length: 20 }, (_, at) => `2001:db8:1:2::${at}`)
  assert.deepEqual(failFrom([...one, '2001:db8:1:3::1', '2001:db8:1:2:ffff::']), [...WITHIN, 0, 60])
})

test('failures from IPv4 count by address, also where it is written as IPv6', () => {
  const one = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? '192.0.2.1' : '::ffff:192.0.2.1'))
  assert.deepEqual(failFrom([...one, '::ffff:192.0.2.2', '::ffff:c000:201']), [...WITHIN, 0, 60])
})
