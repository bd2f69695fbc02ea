import assert from 'node:assert/strict'
import test from 'node:test'
import { formatBytes } from '../../src/base/bytes.ts'

test('a size is shown in the units that people use, with two digits if one would be coarse', () => {
  const sizes = [0, 1, 999, 1000, 1999, 9949, 9950, 14_400, 999_499, 999_500, 5_000_000, 1_000_000_000, 2.5e12, 1e16]
  assert.deepEqual(
    sizes.map(size => formatBytes(size).replace('\u00a0', ' ')),
    [
      '0 bytes',
      '1 byte',
      '999 bytes',
      '1.0 kB',
      '2.0 kB',
      '9.9 kB',
      '10 kB',
      '14 kB',
      '999 kB',
      '1.0 MB',
      '5.0 MB',
      '1.0 GB',
      '2.5 TB',
      '10000 TB',
    ],
  )
})
