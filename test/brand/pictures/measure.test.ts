import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import encodePng, { init as initPng } from '@jsquash/png/encode.js'
import encodeWebp, { init as initWebp } from '@jsquash/webp/encode.js'
import { measurePicture } from '#brand/pictures/measure.ts'

const program = (path: string) => readFileSync(new URL(import.meta.resolve(path)))
await initPng(program('@jsquash/png/codec/pkg/squoosh_png_bg.wasm'))
await initWebp({ wasmBinary: program('@jsquash/webp/codec/enc/webp_enc_simd.wasm') })

type Color = readonly [red: number, green: number, blue: number, opacity: number]
const [NAVY, CLEAR, WHITE]: readonly [Color, Color, Color] = [
  [20, 33, 61, 255],
  [0, 0, 0, 0],
  [255, 255, 255, 255],
]

/** A picture of 12 × 8 px: a bar in one colour on another. */
function pixels(bar: Color, ground: Color) {
  const data = Array.from({ length: 96 }, (_, at) => (at > 24 && at < 72 && at % 12 > 1 && at % 12 < 10 ? bar : ground))
  return { data: new Uint8ClampedArray(data.flat()), width: 12, height: 8, colorSpace: 'srgb' as const }
}
const png = async (...colors: [Color, Color]) => new Uint8Array(await encodePng(pixels(...colors)))
const webp = async (lossless: number, ...colors: [Color, Color]) =>
  new Uint8Array(await encodeWebp(pixels(...colors), { lossless }))
const lookOf = async (bytes: Uint8Array, type: string) => (await measurePicture(bytes, `image/${type}`))?.look

test('a lossy WebP or an AVIF is a photograph unless it has transparent parts', async () => {
  assert.equal(await lookOf(await webp(0, NAVY, WHITE), 'webp'), 'photograph')
  assert.equal(await lookOf(await webp(1, NAVY, WHITE), 'webp'), 'opaque')
  assert.equal(await lookOf(await webp(0, NAVY, CLEAR), 'webp'), 'transparent')
  assert.equal(await lookOf(Buffer.from('avif'), 'avif'), 'photograph')
  assert.equal(await lookOf(Buffer.from('urn:mpeg:mpegB:cicp:systems:auxiliary:alpha'), 'avif'), 'transparent')
})

test('a PNG is transparent if a part of it is, and a drawing may always be', async () => {
  assert.equal(await lookOf(await png(NAVY, WHITE), 'png'), 'opaque')
  assert.equal(await lookOf(await png(NAVY, CLEAR), 'png'), 'transparent')
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9H0z"/></svg>'
  assert.equal(await lookOf(Buffer.from(svg), 'svg+xml'), 'transparent')
})

test('an opaque picture has an edge if that has one colour, and others have none', async () => {
  const edgeOf = async (...colors: [Color, Color]) =>
    (await measurePicture(await png(...colors), 'image/png'))?.pixels?.edge
  assert.equal(await edgeOf(NAVY, WHITE), '#ffffff')
  assert.equal(await edgeOf(NAVY, CLEAR), undefined)
  const { data, ...size } = pixels(NAVY, WHITE)
  data.set(NAVY, 4 * 5)
  const uneven = new Uint8Array(await encodePng({ data, ...size }))
  assert.equal((await measurePicture(uneven, 'image/png'))?.pixels?.edge, undefined)
  const rounded = (radius: number) =>
    measurePicture(
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 99 99"><rect width="99" height="99" rx="${radius}"/></svg>`,
      ),
      'image/svg+xml',
    )
  assert.equal((await rounded(3))?.pixels?.edge, '#000000')
  assert.equal((await rounded(20))?.pixels?.edge, undefined)
})

test('a picture that shows nothing has no facts, and a damaged one throws', async () => {
  assert.equal(await measurePicture(await png(CLEAR, CLEAR), 'image/png'), undefined)
  await assert.rejects(measurePicture(Buffer.from('no picture'), 'image/png'))
})
