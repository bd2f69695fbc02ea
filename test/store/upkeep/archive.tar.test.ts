import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseTarHeader, tarHeader } from '#store/upkeep/archive.ts'
import { fc, forAll } from '../../support/random.ts'

const NAME = `files/${'w'.repeat(63)}/${'0'.repeat(64)}`

test('a parsed header has the name and the size that it was made from, up to the largest possible file', () => {
  for (const size of [0, 1, 8 ** 11 - 1, 8 ** 11, Number.MAX_SAFE_INTEGER])
    assert.deepEqual(parseTarHeader(tarHeader({ name: NAME, size, modified: new Date() })), { name: NAME, size })
})

test('a header with any bit altered is refused', async () => {
  const header = tarHeader({ name: NAME, size: 1234, modified: new Date() })
  await forAll([fc.nat(511), fc.nat(7)], (at, bit) => {
    // The last byte of the checksum field may have any value.
    if (at === 155) return
    const altered = Uint8Array.from(header)
    altered[at] = (altered[at] ?? 0) ^ (1 << bit)
    const parsed = parseTarHeader(altered)
    assert.ok(parsed === undefined || (at >= 148 && at < 156), `byte ${at}`)
  })
})
