import assert from 'node:assert/strict'
import test from 'node:test'
import { isStyleId } from '#brand/ids.ts'
import { spreadPlaces } from '#site/cards/color-spread.ts'
import { fc } from '../../support/random.ts'

const colors = (proportions: readonly (number | undefined)[]) =>
  proportions.map((proportion, at) => {
    const id = `c${at}`
    assert.ok(isStyleId(id))
    return { id, name: id, rgb: '0,0,0', hex: '#000000', ...(proportion !== undefined && { proportion }) }
  })

test('a colour with a larger share of its group has a larger tile', () => {
  // A tile with three values is 184 px high at least.
  const areas = spreadPlaces(colors([22, 6, 40, 14])).map(({ width, height }) => (width / 60) * (184 + height))
  const [ink = 0, red = 0, paper = 0, white = 0] = areas
  assert.ok(red < white && white < ink && ink < paper, areas.join(' '))
})

test('a colour with most of its group fills a row, which is wide instead of tall', () => {
  const [first, ...others] = spreadPlaces(colors([60, 15, 12, 6, 4]))
  assert.equal(first?.width, 60)
  assert.ok(others.every(({ width }) => width < 60))
  const heights = spreadPlaces(colors([90, 1])).map(({ height }) => height)
  assert.ok(
    heights.every(height => height < 240),
    heights.join(' '),
  )
})

test('narrow screens have a band for each share, the tallest for the largest', () => {
  assert.deepEqual(
    spreadPlaces(colors([20, 5, 40, undefined])).map(({ band }) => band),
    [0.15, 0.04, 0.3, 0.04],
  )
})

test('tiles without proportions are equal in each row, and a ramp has as few rows as possible', () => {
  const widths = (count: number, isRamp: boolean) =>
    spreadPlaces(colors(Array(count).fill(undefined)), isRamp).map(({ width }) => width)
  assert.deepEqual(widths(5, false), [12, 12, 12, 12, 12])
  assert.deepEqual(widths(7, false), [20, 20, 20, 15, 15, 15, 15])
  assert.deepEqual(widths(6, true), [10, 10, 10, 10, 10, 10])
  assert.deepEqual(widths(9, true), [15, 15, 15, 15, 12, 12, 12, 12, 12])
})

test('without proportions, no tile is larger than the first', () => {
  for (const isRamp of [false, true])
    for (let count = 1; count <= 60; count++) {
      const areas = spreadPlaces(colors(Array(count).fill(undefined)), isRamp).map(
        ({ width, height }) => width * (184 + height),
      )
      assert.equal(Math.max(...areas), areas[0], `${count}`)
    }
})

test('below other palettes, no tile is larger than the first of the page', () => {
  const first = spreadPlaces(colors(Array(6).fill(undefined)))
  for (let count = 1; count <= 60; count++) {
    const places = spreadPlaces(colors(Array(count).fill(undefined)), false, first)
    assert.ok(
      places.every(({ area }) => area <= (first[0]?.area ?? 0)),
      `${count} ${JSON.stringify(places[0])}`,
    )
  }
})

test('below other palettes, no tile is larger than one with a larger proportion', () => {
  const first = spreadPlaces(colors([22, 6, 40, 14]))
  const [beech] = spreadPlaces(colors([6, 3, 3, 3, 3]), false, first)
  assert.ok(beech && beech.area <= Math.min(...first.filter(({ share = 0 }) => share > 6).map(({ area }) => area)))
})

test('each row is full, and its tiles share one height and one size of names', () => {
  const share = fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined })
  fc.assert(
    fc.property(fc.array(share, { minLength: 1, maxLength: 60 }), fc.boolean(), (proportions, isRamp) => {
      const places = spreadPlaces(colors(proportions), isRamp)
      assert.equal(places.length, proportions.length)
      let [filled, row] = [0, places[0]]
      for (const place of places) {
        if (filled === 0) row = place
        assert.deepEqual([place.height, place.names], [row?.height, row?.names])
        filled = (filled + place.width) % 60
      }
      assert.equal(filled, 0)
    }),
  )
})
