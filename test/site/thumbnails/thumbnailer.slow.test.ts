import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test, { after } from 'node:test'
import encodeJpeg, { init } from '@jsquash/jpeg/encode.js'
import { imageSize } from 'image-size'
import { measurePicture } from '#brand/pictures/measure.ts'
import { QueueFull } from '#platform/processes/failure.ts'
import { openThumbnailer } from '#site/thumbnails/thumbnailer.ts'
import { PATIENCE_MS } from '../../support/patience.ts'

const PNG = readFileSync('examples/acme/guidelines/files/images/acme-share.png')
/** One pixel. */
const GIF = Buffer.from('R0lGODlhAQABAIAAAAUEBAAAACwAAAAAAQABAAACAkQBADs=', 'base64')
const failures: string[] = []
const { make, close } = openThumbnailer({ timeoutMs: PATIENCE_MS, failed: ({ cause }) => failures.push(cause) })
after(close)

test('a photo is turned as its EXIF orientation says', async () => {
  await init({ wasmBinary: readFileSync(new URL(import.meta.resolve('@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm'))) })
  const data = new Uint8ClampedArray(800 * 400 * 4).fill(200)
  const jpeg = Buffer.from(await encodeJpeg({ data, width: 800, height: 400, colorSpace: 'srgb' }))
  // EXIF, TIFF 6.0: one entry, Orientation (0x112), a short, 6: its top is at the right.
  const exif = Buffer.from('4578696600004d4d002a00000008000101120003000000010006000000000000', 'hex')
  const head = Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0, exif.length + 2])
  const bytes = await make(picture(Buffer.concat([head, exif, jpeg.subarray(2)]), 'image/jpeg'), 100, 'acme')
  assert.ok(bytes)
  assert.deepEqual(imageSize(bytes), { width: 100, height: 200, type: 'webp' })
})

test('the first page of a PDF is drawn on white, and a damaged or encrypted PDF has no page', async () => {
  const pdf = readFileSync('examples/acme/guidelines/files/print/Acme colour sheet.pdf')
  const bytes = await make(picture(pdf, 'application/pdf'), 320, 'acme')
  assert.ok(bytes)
  assert.deepEqual(imageSize(bytes), { width: 320, height: 453, type: 'webp' })
  const encrypted = Buffer.from(pdf.toString('latin1').replace('/Root', '/Encrypt 1 0 R /Root'), 'latin1')
  for (const broken of [pdf.subarray(0, 2000), Buffer.from('%PDF-1.4\n%%EOF\n'), encrypted])
    assert.equal(await make(picture(broken, 'application/pdf'), 320, 'acme'), undefined)
})

test('a light PNG has at most 1,024 pixels on its longer side and 500,000 bytes, from each kind of picture', async () => {
  await init({ wasmBinary: readFileSync(new URL(import.meta.resolve('@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm'))) })
  const data = Uint8ClampedArray.from({ length: 1600 * 1200 * 4 }, (_, at) => (at ** 2 * 7919) % 251)
  const noise = Buffer.from(await encodeJpeg({ data, width: 1600, height: 1200, colorSpace: 'srgb' }))
  const strip = Buffer.from(await encodeJpeg({ data, width: 60, height: 9000, colorSpace: 'srgb' }))
  const line = Buffer.from(await encodeJpeg({ data, width: 9000, height: 1, colorSpace: 'srgb' }))
  const pdf = readFileSync('examples/acme/guidelines/files/print/Acme colour sheet.pdf')
  const tall =
    '<svg xmlns="http://www.w3.org/2000/svg" width="3" height="4"><path d="M0 0h3v4H0z" fill="#cc3a06"/></svg>'
  const rule = '<svg xmlns="http://www.w3.org/2000/svg" width="3000" height="1"><path d="M0 0h3000v1H0z"/></svg>'
  for (const [bytes, contentType, width, height] of [
    [PNG, 'image/png', 1024, 538],
    [pdf, 'application/pdf', 724, 1024],
    [Buffer.from(tall), 'image/svg+xml', 768, 1024],
    [Buffer.from(rule), 'image/svg+xml', 1024, 1],
    [GIF, 'image/gif', 1, 1],
    [strip, 'image/jpeg', 7, 1024],
    [line, 'image/jpeg', 1024, 1],
    [noise, 'image/jpeg', undefined, undefined],
  ] as const) {
    const light = await make({ ...picture(bytes, contentType), format: 'light-png' }, 1024, 'acme')
    assert.ok(light && light.length <= 500_000, contentType)
    const size = imageSize(light)
    assert.equal(size.type, 'png')
    if (width) assert.deepEqual([size.width, size.height], [width, height], contentType)
    else assert.ok(size.width < 1024 && Math.abs(size.width * 0.75 - size.height) < 2, `${size.width}x${size.height}`)
  }
})

test('a light PNG is drawn on a colour, and a damaged picture has none', async () => {
  const clear =
    '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="4"><path d="M0 0h4v4H0z" fill="#cc3a06"/></svg>'
  const png = await make(picture(Buffer.from(clear), 'image/svg+xml'), 8, 'acme')
  assert.ok(png)
  for (const [bytes, contentType] of [
    [png, 'image/png'],
    [Buffer.from(clear), 'image/svg+xml'],
  ] as const) {
    const drawn = await make({ ...picture(bytes, contentType), ground: '#14212b', format: 'light-png' }, 8, 'acme')
    assert.deepEqual((await measurePicture(drawn ?? png, 'image/png'))?.pixels?.mean, [112, 46, 24, 255])
  }
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><text>Acme</text></svg>')
  for (const [bytes, type] of [
    [PNG.subarray(0, 2000), 'image/png'],
    [svg, 'image/svg+xml'],
  ] as const)
    assert.equal(await make({ ...picture(bytes, type), format: 'light-png' }, 1024, 'acme'), undefined, type)
})

test('a damaged picture, or one that needs too much memory, has no thumbnail, and the next one is made', async () => {
  const huge = Buffer.from(PNG)
  huge.writeUInt32BE(30_000, 16)
  huge.writeUInt32BE(30_000, 20)
  for (const bytes of [PNG.subarray(0, 2000), huge, Buffer.from('no picture')]) {
    assert.equal(await make(picture(bytes), 320, 'acme'), undefined)
    assert.equal(await make(picture(bytes, 'image/jpeg'), 320, 'acme'), undefined)
    assert.equal(await make(picture(bytes, 'image/webp'), 320, 'acme'), undefined)
  }
  assert.deepEqual(new Set(failures), new Set(['memory']))
  assert.ok(await make(picture(PNG), 320, 'acme'))
})

test('at most 500 pictures of an author wait, and pictures of other authors are made before them', async () => {
  const asked = Array.from({ length: 502 }, () => make(picture(PNG), 320, 'many'))
  const [first, ...rest] = asked
  await assert.rejects(rest.at(-1) ?? Promise.resolve(), QueueFull)
  const other = make(picture(PNG), 320, 'other')
  const settled: string[] = []
  await Promise.all([
    other.then(() => settled.push('other')),
    asked[8]?.then(() => settled.push('many')),
    first?.then(bytes => assert.ok(bytes)),
  ])
  assert.deepEqual(settled, ['other', 'many'])
  const left = Promise.allSettled(asked)
  await close()
  assert.ok((await left).some(({ status }) => status === 'rejected'))
})

function picture(bytes: Uint8Array, contentType = 'image/png') {
  return { contentType, open: async () => inChunks(bytes) }
}

async function* inChunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000)
}
