import assert from 'node:assert/strict'
import test from 'node:test'
import type { BrandFile } from '../../../src/brand/file.ts'
import { isStyleId } from '../../../src/brand/ids.ts'
import { hashOf } from '../../../src/brand/snapshot.ts'
import { isPhotograph } from '../../../src/site/thumbnails/photograph.ts'

const FILE: BrandFile = { path: 'files/a.webp', contentType: 'image/webp', size: 30, hash: hashOf(new Uint8Array()) }
const webp = (type: string, flags = 0) =>
  Buffer.concat([Buffer.from(`RIFF\0\0\0\0WEBP${type}\x0a\0\0\0`, 'latin1'), Buffer.of(flags, 0, 0, 0)])
const isShown = (bytes: Uint8Array, changes: Partial<BrandFile> = {}) =>
  isPhotograph({ open: async () => chunks(bytes) }, { ...FILE, ...changes })

async function* chunks(bytes: Uint8Array) {
  yield bytes
}

test('a JPEG, an AVIF or a lossy WebP without transparency is a photograph', async () => {
  assert.equal(await isShown(webp('VP8 ')), true)
  assert.equal(await isShown(webp('VP8X', 0x08)), true)
  for (const contentType of ['image/jpeg', 'image/avif'])
    assert.equal(await isShown(Buffer.of(), { contentType }), true)
})

test('a lossless or transparent WebP, another picture, one for a background and a damaged one are shown whole', async () => {
  assert.equal(await isShown(webp('VP8L')), false)
  assert.equal(await isShown(webp('VP8X', 0x10)), false)
  for (const contentType of ['image/png', 'image/svg+xml', 'application/pdf'])
    assert.equal(await isShown(Buffer.of(), { contentType }), false, contentType)
  const ground = 'ink'
  assert.ok(isStyleId(ground))
  assert.equal(await isShown(webp('VP8 '), { ground }), false)
  assert.equal(await isPhotograph({ open: () => Promise.reject(new Error('gone')) }, FILE), false)
})
