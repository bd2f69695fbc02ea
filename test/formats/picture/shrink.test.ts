import assert from 'node:assert/strict'
import test from 'node:test'
import { type Pixels, shrink } from '#formats/picture/shrink.ts'

test('each pixel is the mean of the pixels that it covers', () => {
  const picture = pixels(4, [0, 100, 200, 100], [0, 100, 200, 100])
  assert.deepEqual(reds(shrink(picture, 2)), [50, 150])
  assert.deepEqual(reds(shrink(pixels(3, [0, 90, 240], [0, 90, 240], [0, 90, 240]), 2)), [30, 190, 30, 190])
})

test('transparent pixels do not affect the colour of visible ones', () => {
  const picture = pixels(2, [200, 0])
  picture.data[7] = 0
  assert.deepEqual([...shrink(picture, 1).data], [200, 1, 2, 128])
  picture.data[3] = 0
  assert.deepEqual([...shrink(picture, 1).data], [0, 0, 0, 0])
})

test('the sides keep their proportion, no side becomes 0, and no picture becomes larger', () => {
  const sizes = [pixels(6, [0, 0, 0, 0, 0, 0]), { data: new Uint8ClampedArray(4 * 12), width: 4, height: 3 }]
  const seen = sizes.map(picture => shrink(picture, 2)).map(({ width, height }) => [width, height])
  assert.deepEqual(seen, [
    [2, 1],
    [2, 2],
  ])
  const small = pixels(2, [1, 2])
  assert.equal(shrink(small, 320), small)
})

function pixels(width: number, ...rows: number[][]): Pixels {
  const data = new Uint8ClampedArray(rows.flat().flatMap(red => [red, 1, 2, 255]))
  return { data, width, height: rows.length }
}

function reds({ data }: Pixels): number[] {
  return [...data].filter((_, at) => at % 4 === 0)
}
