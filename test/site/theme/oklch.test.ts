import assert from 'node:assert/strict'
import test from 'node:test'
import { hexOf, mixColors, oklchOf } from '#site/theme/oklch.ts'
import { fc } from '../../support/random.ts'

const hex = fc.integer({ min: 0, max: 0xffffff }).map(number => `#${number.toString(16).padStart(6, '0')}`)

/* The values of CSS Color 4 §4.1 and of its samples. */
test('sRGB colours have the expected OKLCH lightness, chroma and hue', () => {
  const rounded = (color: string) => {
    const { lightness, chroma, hue } = oklchOf(color)
    return [lightness.toFixed(3), chroma.toFixed(3), Math.round(((hue * 180) / Math.PI + 360) % 360)]
  }
  assert.deepEqual(rounded('#ff0000'), ['0.628', '0.258', 29])
  assert.deepEqual(rounded('#008000'), ['0.520', '0.177', 142])
  assert.deepEqual(rounded('#0000ff'), ['0.452', '0.313', 264])
})

test('every sRGB colour survives conversion to OKLCH and back', () => {
  fc.assert(fc.property(hex, color => assert.equal(hexOf(oklchOf(color)), color)))
})

test('a colour outside sRGB loses chroma, and keeps lightness and hue', () => {
  const channel = fc.double({ min: 0.1, max: 0.95, noNaN: true })
  const hue = fc.double({ min: -Math.PI, max: Math.PI, noNaN: true })
  fc.assert(
    fc.property(channel, hue, (lightness, hue) => {
      const shown = oklchOf(hexOf({ lightness, chroma: 0.5, hue }))
      assert.ok(Math.abs(shown.lightness - lightness) < 0.01)
      const away = Math.abs(shown.hue - hue)
      assert.ok(shown.chroma < 0.01 || Math.min(away, 2 * Math.PI - away) * shown.chroma < 0.01)
    }),
  )
})

test('a mix of two colours starts with the first and ends with the second', () => {
  fc.assert(
    fc.property(hex, hex, (one, other) => {
      assert.deepEqual([mixColors(one, other, 0), mixColors(one, other, 1)], [one, other])
    }),
  )
})
