import assert from 'node:assert/strict'
import test from 'node:test'
import { deflateSync } from 'node:zlib'
import type { BrandFile } from '#brand/file.ts'
import { isStyleId } from '#brand/ids.ts'
import { hashOf } from '#brand/snapshot.ts'
import { isPhotograph, readLook } from '#site/thumbnails/photograph.ts'
import type { Files } from '#store/files/files.ts'

const FILE: BrandFile = { path: 'files/a.webp', contentType: 'image/webp', size: 30, hash: hashOf(new Uint8Array()) }
const webp = (type: string, flags = 0) =>
  Buffer.concat([Buffer.from(`RIFF\0\0\0\0WEBP${type}\x0a\0\0\0`, 'latin1'), Buffer.of(flags, 0, 0, 0)])
const isShown = (bytes: Uint8Array, changes: Partial<BrandFile> = {}) =>
  isPhotograph(
    guideWith(async () => chunks(bytes)),
    { ...FILE, ...changes },
  )

/** A guide whose files are opened like this. */
function guideWith(open: Files['open']) {
  return { site: { service: { files: { open, pathOf: () => '' } } }, publication: { record: { workspace: 'acme' } } }
}

async function* chunks(bytes: Uint8Array) {
  yield bytes
}

test('a JPEG, an AVIF or a lossy WebP without transparency is a photograph', async () => {
  assert.equal(await isShown(webp('VP8 ')), true)
  assert.equal(await isShown(webp('VP8X', 0x08)), true)
  for (const contentType of ['image/jpeg', 'image/avif'])
    assert.equal(await isShown(Buffer.of(), { contentType }), true)
  const withAlpha = Buffer.from('auxC\0\0\0\0urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0')
  assert.equal(await isShown(withAlpha, { contentType: 'image/avif' }), false)
})

test('a lossless or transparent WebP, another picture, one for a background and a damaged one are shown whole', async () => {
  assert.equal(await isShown(webp('VP8L')), false)
  assert.equal(await isShown(webp('VP8X', 0x10)), false)
  for (const contentType of ['image/png', 'image/svg+xml', 'application/pdf'])
    assert.equal(await isShown(Buffer.of(), { contentType }), false, contentType)
  const ground = 'ink'
  assert.ok(isStyleId(ground))
  assert.equal(await isShown(webp('VP8 '), { ground }), false)
  assert.equal(
    await isPhotograph(
      guideWith(() => Promise.reject(new Error('gone'))),
      FILE,
    ),
    false,
  )
})

test('a PNG is transparent only if a pixel near its top is, and a picture that can have no alpha never is', async () => {
  const rgb = { colorType: 2, rows: [[0, 9, 9, 9, 9, 9, 9]] }
  // Each row begins with its filter. Opaque pixels next to others have a difference of 0, and in Average of 128.
  const opaque = [
    [0, 1, 2, 3, 255, 1, 2, 3, 255],
    [1, 0, 0, 0, 255, 0, 0, 0, 0],
    [2, 0, 0, 0, 0, 0, 0, 0, 0],
    [3, 0, 0, 0, 128, 0, 0, 0, 0],
    [4, 0, 0, 0, 0, 0, 0, 0, 0],
  ]
  const looks = {
    opaque: [png(rgb), png({ colorType: 6, rows: opaque }), png({ colorType: 6, rows: [opaque[1] ?? []] })],
    transparent: [
      png({ ...rgb, hasKey: true }),
      png({ colorType: 6, rows: [...opaque, [2, 0, 0, 0, 0, 0, 0, 0, 1]] }),
      png({ colorType: 6, rows: [[0, 1, 2, 3, 0, 1, 2, 3, 255]] }),
      png({ colorType: 6, rows: opaque, interlace: 1 }),
      Buffer.from('damaged'),
    ],
  }
  for (const [look, pictures] of Object.entries(looks))
    for (const [at, bytes] of pictures.entries()) assert.equal(await lookOf(bytes, 'image/png'), look, `${look} ${at}`)
})

test('drawings are transparent unless their format says otherwise, and lossless photographs are opaque', async () => {
  const lossless = Buffer.concat([webp('VP8L'), Buffer.of(0)])
  assert.equal(await lookOf(lossless, 'image/webp'), 'opaque')
  assert.equal(await lookOf(Buffer.concat([webp('VP8L'), Buffer.of(0x10)]), 'image/webp'), 'transparent')
  assert.equal(await lookOf(webp('VP8X', 0x10), 'image/webp'), 'transparent')
  assert.equal(await lookOf(Buffer.of(), 'image/svg+xml'), 'transparent')
  assert.equal(await lookOf(Buffer.of(), 'application/pdf'), 'opaque')
})

function lookOf(bytes: Uint8Array, contentType: string) {
  return readLook(
    guideWith(async () => chunks(bytes)),
    { ...FILE, contentType },
  )
}

/** A PNG with two pixels per row, without checksums. */
function png({ colorType, rows, hasKey, interlace = 0 }: TestPng): Buffer {
  const chunk = (name: string, data: Uint8Array) => {
    const head = Buffer.alloc(8)
    head.writeUInt32BE(data.length)
    head.write(name, 4)
    return Buffer.concat([head, data, Buffer.alloc(4)])
  }
  const size = Buffer.alloc(13)
  size.writeUInt32BE(2)
  size.writeUInt32BE(rows.length, 4)
  size.set([8, colorType, 0, 0, interlace], 8)
  const data = deflateSync(Buffer.from(rows.flat()))
  const key = hasKey ? [chunk('tRNS', Buffer.alloc(6))] : []
  return Buffer.concat([Buffer.alloc(8), chunk('IHDR', size), ...key, chunk('IDAT', data)])
}

type TestPng = { colorType: number; rows: readonly (readonly number[])[]; hasKey?: boolean; interlace?: number }
