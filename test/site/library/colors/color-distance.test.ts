import assert from 'node:assert/strict'
import test from 'node:test'
import { colorDistance } from '../../../../src/site/library/colors/color-distance.ts'
import { fc } from '../../../support/random.ts'

const roundedDistance = (one: string, other: string) => Number(colorDistance(one, other).toFixed(3))

/* Oklab of red is 0.628, 0.2249, 0.1258; of green 0.8664, -0.2339, 0.1795; of blue 0.452, -0.0325, -0.3115 (CSS Color 4). */
test('the distance of two colours is their distance in Oklab', () => {
  assert.deepEqual(
    [
      roundedDistance('#000000', '#ffffff'),
      roundedDistance('#ff0000', '#00ff00'),
      roundedDistance('#ff0000', '#0000ff'),
      roundedDistance('#000000', '#ff0000'),
    ],
    [1, 0.52, 0.537, 0.679],
  )
})

test('the distance of a colour to itself is zero, and distances are symmetric', () => {
  const hex = fc.integer({ min: 0, max: 0xffffff }).map(number => `#${number.toString(16).padStart(6, '0')}`)
  fc.assert(
    fc.property(hex, hex, (one, other) => {
      assert.equal(colorDistance(one, one), 0)
      assert.equal(colorDistance(one, other), colorDistance(other, one))
      assert.equal(colorDistance(one, other) > 0, one !== other)
    }),
  )
})
