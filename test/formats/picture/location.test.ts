import assert from 'node:assert/strict'
import test from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import { exifBlocks, exifEntries, exifNumber, firstDirectory } from '#formats/picture/exif.ts'
import { locationPatches } from '#formats/picture/location.ts'
import { located, locatedExif, pngChunk } from '#test/support/located-picture.ts'
import { fc, forAllIn } from '#test/support/random.ts'

const XMP = (place: string) => `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:Description ${place}</x:xmpmeta>`
const PARTS = [
  'dc:title="Quay"',
  ' exif:GPSLatitude="52,30N"',
  '\n',
  " exif:GPSLongitude = '13,24E'",
  '>',
  '<drone-dji:GpsLatitude>52.5</drone-dji:GpsLatitude>',
  '<tiff:Orientation>6</tiff:Orientation></rdf:Description>',
]
const PLACED = PARTS.join('')
const PLAIN = PARTS.map(part => (/:gps/i.test(part) ? ' '.repeat(part.length) : part)).join('')

const CONTAINERS: Record<string, (exif: Buffer, xmp: string) => Buffer> = {
  JPEG: (exif, xmp) => located.jpeg(exif, `http://ns.adobe.com/xap/1.0/\0${xmp}`),
  'JPEG with a second picture': (exif, xmp) => Buffer.concat([located.jpeg(exif), located.jpeg(exif, xmp)]),
  'JPEG with XMP in an extension': (exif, xmp) => located.jpeg(exif, `http://ns.adobe.com/xmp/extension/\0${xmp}`),
  WebP: located.webp,
  AVIF: located.avif,
  TIFF: (exif, xmp) => Buffer.concat([exif, Buffer.from(xmp)]),
}

for (const [name, container] of Object.entries(CONTAINERS))
  for (const isBigEndian of [true, false])
    test(`a ${name}, ${isBigEndian ? 'big' : 'little'}-endian, loses its place and keeps every other byte`, () => {
      const file = container(locatedExif({ isBigEndian }), XMP(PLACED))
      const plain = container(locatedExif({ isBigEndian, isRemoved: true }), XMP(PLAIN))
      assert.deepEqual(withoutPlace(file), plain)
      assert.deepEqual(locationPatches(plain), [])
    })

test('a PNG loses its place with the right checksums, also from compressed text', () => {
  const exif = locatedExif({ isBigEndian: true })
  const hex = `\nexif\n      ${exif.length}\n${exif.toString('hex').replace(/.{72}/g, '$&\n')}\n`
  const chunks: [string, Buffer, RegExp][] = [
    ['eXIf', exif, /^MM/],
    ['iTXt', Buffer.from(`XML:com.adobe.xmp\0\0\0\0\0${XMP(PLACED)}`), /^XML:com[\s\S]*Quay/],
    ['iTXt', Buffer.concat([Buffer.from('XML:com.adobe.xmp\0\x01\0\0\0'), deflateSync(XMP(PLACED))]), /^Comment\0 +$/],
    ['zTXt', Buffer.concat([Buffer.from('Raw profile type exif\0\0'), deflateSync(hex)]), /^Comment\0 +$/],
    ['tEXt', Buffer.from(`Raw profile type exif\0${hex}`), /^Comment\0 +$/],
  ]
  for (const [type, content, left] of chunks) {
    const before = located.png(pngChunk(type, content))
    const after = withoutPlace(before)
    const chunk = after.subarray(33, 33 + 12 + content.length)
    assert.match(chunk.toString('latin1', 8, chunk.length - 4), left, type)
    assert.doesNotMatch(after.toString('latin1'), /52,30N|52\.5/)
    assert.equal(chunk.readUInt32BE(chunk.length - 4), crc32(chunk.subarray(4, -4)))
    assert.deepEqual(after.subarray(33 + chunk.length), before.subarray(33 + chunk.length))
    assert.deepEqual(locationPatches(after), [])
  }
  const zipped = deflateSync(XMP(PLAIN))
  const plain = located.png(pngChunk('iTXt', Buffer.concat([Buffer.from('XML:com.adobe.xmp\0\x01\0\0\0'), zipped])))
  assert.deepEqual(locationPatches(plain), [])
})

test('the orientation is readable after the place is removed', () => {
  const [block] = exifBlocks(withoutPlace(located.jpeg(locatedExif({ isBigEndian: true }))))
  assert.ok(block)
  const entries = exifEntries(block, firstDirectory(block))
  assert.deepEqual(
    entries.map(({ tag, at }) => [tag, exifNumber(block, at + 8, 2)]),
    [
      [0x112, 6],
      [0x9999, 7],
    ],
  )
})

test('damaged metadata neither throws nor lengthens a picture', async () => {
  const file = located.jpeg(locatedExif({ isBigEndian: true }), XMP(PLACED))
  await forAllIn(
    500,
    [fc.array(fc.tuple(fc.nat(file.length - 1), fc.nat(255))), fc.nat(file.length)],
    (changes, length) => {
      const damaged = Buffer.from(file.subarray(0, length))
      for (const [at, byte] of changes) if (at < length) damaged[at] = byte
      for (const { at, bytes } of locationPatches(damaged)) assert.ok(at + bytes.length <= length)
    },
  )
})

test('a GPS directory that refers to the header of its block leaves the header', () => {
  const exif = locatedExif({ isBigEndian: true })
  exif.writeUInt32BE(0, 30)
  assert.equal(withoutPlace(located.jpeg(exif)).includes('Exif\0\0MM\0*'), true)
})

function withoutPlace(file: Buffer): Buffer {
  const copy = Buffer.from(file)
  for (const { at, bytes } of locationPatches(file)) copy.set(bytes, at)
  return copy
}
