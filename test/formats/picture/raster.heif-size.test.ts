import assert from 'node:assert/strict'
import { test } from 'node:test'
import { heifSize } from '#formats/picture/raster.ts'

const box = (type: string, ...content: Buffer[]) => {
  const body = Buffer.concat(content)
  return Buffer.concat([uint32(8 + body.length), Buffer.from(type), body])
}
const uint32 = (...values: number[]) =>
  Buffer.concat(values.map(value => Buffer.from([value >>> 24, value >>> 16, value >>> 8, value])))
const uint16 = (...values: number[]) => Buffer.from(values.flatMap(value => [value >>> 8, value]))

const ispe = (width: number, height: number) => box('ispe', uint32(0, width, height))
const clap = (width: number, height: number) => box('clap', uint32(width, 1, height, 1, 0, 1, 0, 1))
const irot = (quarters: number) => box('irot', Buffer.from([quarters]))
const tile = ispe(512, 512)

/** A tiled picture; the primary item 2 has the given properties, and item 1 is a tile. */
function heif(properties: Buffer[], { isLarge = false } = {}): Buffer {
  const indexes = properties.map((_, n) => n + 2)
  const entries = isLarge
    ? [uint32(1), Buffer.from([1]), uint16(1), uint32(2), Buffer.from([indexes.length]), uint16(...indexes)]
    : [uint16(1), Buffer.from([1, 1]), uint16(2), Buffer.from([indexes.length, ...indexes.map(index => index | 0x80)])]
  const ipma = box('ipma', uint32(isLarge ? 0x01000001 : 0, 2), ...entries)
  const pitm = isLarge ? box('pitm', uint32(0x01000000, 2)) : box('pitm', uint32(0), uint16(2))
  const iprp = box('iprp', box('ipco', tile, ...properties), ipma)
  return Buffer.concat([box('ftyp', Buffer.from('heic')), box('meta', uint32(0), pitm, iprp)])
}

const CASES: [string, Buffer, { width: number; height: number }][] = [
  ['unchanged', heif([ispe(60, 40)]), { width: 60, height: 40 }],
  ['cropped', heif([ispe(64, 64), clap(60, 40)]), { width: 60, height: 40 }],
  ['turned by a quarter', heif([ispe(60, 40), irot(1)]), { width: 40, height: 60 }],
  ['turned upside down', heif([ispe(60, 40), irot(2)]), { width: 60, height: 40 }],
  ['turned by three quarters', heif([ispe(60, 40), irot(3)]), { width: 40, height: 60 }],
  ['cropped, then turned', heif([ispe(64, 64), clap(60, 40), irot(1)]), { width: 40, height: 60 }],
  ['with long ids and indexes', heif([ispe(60, 40), irot(1)], { isLarge: true }), { width: 40, height: 60 }],
]

for (const [name, bytes, size] of CASES) {
  test(`a HEIF picture has the size of its primary item: ${name}`, () => assert.deepEqual(heifSize(bytes), size))
}

test('a truncated HEIF picture has no size', () => {
  const whole = heif([ispe(60, 40)])
  for (let length = 0; length < whole.length; length++) assert.throws(() => heifSize(whole.subarray(0, length)))
})
