import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { located, locatedExif, pngChunk } from '../../support/located-picture.ts'
import { needs } from '../../support/programs.ts'
import { fc, forAllIn } from '../../support/random.ts'
import { mediaFolder, reading, unreadable } from '../media-files.ts'

const { path, read, readPath } = await mediaFolder()

const { skip } = needs('convert')
const convert = (...options: string[]) => execFileSync('convert', options, { encoding: 'utf8', stdio: 'pipe' })

const writable = skip ? '' : convert('-list', 'format')

const FORMATS: [string, string][] = [
  ['avif', 'image/avif'],
  ['bmp', 'image/bmp'],
  ['gif', 'image/gif'],
  ['heic', 'image/heic'],
  ['ico', 'image/vnd.microsoft.icon'],
  ['jp2', 'image/jp2'],
  ['jpg', 'image/jpeg'],
  ['png', 'image/png'],
  ['psd', 'image/vnd.adobe.photoshop'],
  ['tiff', 'image/tiff'],
  ['webp', 'image/webp'],
]

for (const [format, contentType] of FORMATS) {
  test(`pictures of type ${contentType} have the size that ImageMagick gave them`, { skip }, async t => {
    if (!new RegExp(`^ *${format}\\*? .* .w`, 'im').test(writable)) {
      t.skip(`convert that writes ${format}`)
      return
    }
    const file = path(`201x63.${format}`)
    convert('-size', '201x63', 'plasma:red-blue', file)
    assert.deepEqual(await readPath(file), reading(contentType, { metadata: { width: 201, height: 63 } }))
  })
}

const ENCODINGS = ['utf8', 'latin1'] as const
type ExifOptions = { isBigEndian?: boolean; directory?: number; description?: string; encoding?: BufferEncoding }

/** An EXIF block: one directory, somewhere, of an orientation and perhaps a description. */
function exif(
  orientation: number,
  { isBigEndian = false, directory = 8, description = '', encoding = 'utf8' }: ExifOptions = {},
): Buffer {
  const text = Buffer.from(`${description}\0`, encoding)
  const block = Buffer.alloc(directory + 30 + text.length)
  const put = (value: number, at: number, length: 2 | 4) =>
    isBigEndian ? block.writeUIntBE(value, at, length) : block.writeUIntLE(value, at, length)
  block.write(isBigEndian ? 'MM' : 'II')
  put(42, 2, 2)
  put(directory, 4, 4)
  put(2, directory, 2)
  for (const [at, tag, type, count] of [
    [2, 0x10e, 2, text.length],
    [14, 0x112, 3, 1],
  ] as const) {
    put(tag, directory + at, 2)
    put(type, directory + at + 2, 2)
    put(count, directory + at + 4, 4)
  }
  put(directory + 30, directory + 10, 4)
  put(orientation, directory + 22, 2)
  // TIFF 6.0 §2: a value of at most four bytes is in the entry itself.
  text.copy(block, text.length > 4 ? directory + 30 : directory + 10)
  return block
}

/** A segment after the start of a JPEG. */
function jpegWith(jpeg: Buffer, marker: number, content: Buffer): Buffer {
  const length = content.length + 2
  return Buffer.concat([
    jpeg.subarray(0, 2),
    Buffer.from([0xff, marker, length >> 8, length]),
    content,
    jpeg.subarray(2),
  ])
}

/** A chunk after the header of a PNG. */
function pngWith(png: Buffer, name: string, content: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + content.length)
  chunk.writeUInt32BE(content.length)
  chunk.write(name, 4)
  content.copy(chunk, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), 8 + content.length)
  return Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)])
}

const pictures = new Map<string, Buffer>()

/** A picture of 60 by 40, made once. */
function made(format: string): Buffer {
  const found = pictures.get(format)
  if (found) return found
  convert('-size', '60x40', 'plasma:red-blue', path(`made.${format}`))
  pictures.set(format, readFileSync(path(`made.${format}`)))
  return made(format)
}

const UPRIGHT = { width: 60, height: 40 }
const TURNED = { width: 40, height: 60 }

test('a JPEG has its displayed width and height in all eight orientations', { skip }, async () => {
  const jpeg = made('jpg')
  const cases = [1, 2, 3, 4, 5, 6, 7, 8].flatMap(orientation =>
    [{}, { isBigEndian: true }, { directory: 20 }].map(options => ({ orientation, options })),
  )
  for (const [n, { orientation, options }] of cases.entries()) {
    const segment = Buffer.concat([Buffer.from('Exif\0\0'), exif(orientation, options)])
    const metadata = orientation >= 5 ? TURNED : UPRIGHT
    assert.deepEqual(await read(`${n}.jpg`, jpegWith(jpeg, 0xe1, segment)), reading('image/jpeg', { metadata }))
  }
  const shown = convert(...cases.map((_, n) => path(`${n}.jpg`)), '-auto-orient', '-format', '%w %h\n', 'info:')
  const expected = cases.map(({ orientation }) => (orientation >= 5 ? '40 60' : '60 40'))
  assert.deepEqual(shown.trim().split('\n'), expected)
})

test('EXIF rotates a PNG and a TIFF too, and an invalid orientation rotates nothing', { skip }, async () => {
  const png = made('png')
  convert('-size', '60x40', 'plasma:red-blue', '-orient', 'RightTop', path('a.tiff'))
  assert.deepEqual((await read('a.png', pngWith(png, 'eXIf', exif(6)))).metadata, TURNED)
  assert.deepEqual((await read('a.png', pngWith(png, 'eXIf', exif(9)))).metadata, UPRIGHT)
  assert.deepEqual((await readPath(path('a.tiff'))).metadata, TURNED)
})

test('a picture that says where it was taken is read with a warning', async () => {
  const file = located.png(pngChunk('eXIf', locatedExif()))
  const { problems, metadata } = await read('located.png', file)
  assert.deepEqual(metadata, { width: 0x01010101, height: 0x01010101 })
  const seen = problems.map(({ rule, line }) => [rule, line])
  assert.deepEqual(seen, [['picture-location', null]])
  const plain = located.png(pngChunk('eXIf', locatedExif({ isRemoved: true })))
  assert.deepEqual((await read('plain.png', plain)).problems, [])
})

test('EXIF does not rotate a WebP, since browsers ignore it there', { skip }, async () => {
  const head = Buffer.from('RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\x08\0\0\0\x3b\0\0\x27\0\0', 'latin1')
  const tail = Buffer.concat([Buffer.from([...Buffer.from('EXIF'), exif(6).length, 0, 0, 0]), exif(6)])
  const webp = Buffer.concat([head, made('webp').subarray(12), tail])
  webp.writeUInt32LE(webp.length - 8, 4)
  assert.deepEqual(await read('a.webp', webp), reading('image/webp', { metadata: UPRIGHT }))
})

const xmp = (properties: string, attributes = '') =>
  Buffer.from(`http://ns.adobe.com/xap/1.0/\0<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:Iptc4xmpCore="http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/"${attributes}>${properties}</rdf:Description>
</rdf:RDF></x:xmpmeta><?xpacket end="w"?>`)
const inLanguages = (name: string, ...texts: [string, string][]) =>
  `<${name}><rdf:Alt>${texts.map(([language, text]) => `<rdf:li xml:lang="${language}">${text}</rdf:li>`).join('\n')}</rdf:Alt></${name}>`

const iptc = (text: Buffer) =>
  Buffer.concat([
    Buffer.from('Photoshop 3.0\x008BIM\x04\x04\0\0\0\0', 'latin1'),
    Buffer.from([0, text.length + 5, 0x1c, 2, 120, 0, text.length]),
    text,
  ])
const exifSegment = (description: string) => Buffer.concat([Buffer.from('Exif\0\0'), exif(1, { description })])

const LION = inLanguages('dc:description', ['x-default', 'Ein Löwe'], ['en-GB', 'A lion &amp; a bear'])
const ALT = inLanguages('Iptc4xmpCore:AltTextAccessibility', ['x-default', 'A lion, lying'])

const IN_JPEG: Readonly<Record<string, readonly [[number, Buffer][], string | undefined]>> = {
  'XMP, in English': [[[0xe1, xmp(LION)]], 'A lion & a bear'],
  'XMP without English': [
    [[0xe1, xmp(inLanguages('dc:description', ['de', 'Ein Bär'], ['x-default', 'Ein Löwe']))]],
    'Ein Löwe',
  ],
  'XMP in an attribute': [[[0xe1, xmp('', ' dc:description="A lion"')]], 'A lion'],
  'XMP as plain text': [[[0xe1, xmp('<dc:description>A lion</dc:description>')]], 'A lion'],
  'the alt text of XMP first': [[[0xe1, xmp(LION + ALT)]], 'A lion, lying'],
  'of other properties, nothing': [[[0xe1, xmp(inLanguages('dc:title', ['en', 'A lion']))]], undefined],
  'IPTC in UTF-8': [[[0xed, iptc(Buffer.from('Ein Löwe'))]], 'Ein Löwe'],
  'IPTC in Latin-1': [[[0xed, iptc(Buffer.from('Ein Löwe', 'latin1'))]], 'Ein Löwe'],
  EXIF: [[[0xe1, exifSegment('Ein Löwe')]], 'Ein Löwe'],
  'XMP before IPTC before EXIF': [
    [
      [0xed, iptc(Buffer.from('IPTC'))],
      [0xe1, xmp(LION)],
      [0xe1, exifSegment('EXIF')],
    ],
    'A lion & a bear',
  ],
  'IPTC before EXIF': [
    [
      [0xed, iptc(Buffer.from('IPTC'))],
      [0xe1, exifSegment('EXIF')],
    ],
    'IPTC',
  ],
  'an empty EXIF text says nothing': [[[0xe1, exifSegment('   ')]], undefined],
}

for (const [name, [segments, description]] of Object.entries(IN_JPEG)) {
  test(`the description embedded in a JPEG: ${name}`, { skip }, async () => {
    const jpeg = segments.reduce((bytes, [marker, content]) => jpegWith(bytes, marker, content), made('jpg'))
    const expected = { metadata: UPRIGHT, ...(description === undefined ? {} : { description }) }
    assert.deepEqual(await read('a.jpg', jpeg), reading('image/jpeg', expected))
  })
}

const IN_PNG: [string, string, Buffer, string][] = [
  ['XMP', 'iTXt', Buffer.concat([Buffer.from('XML:com.adobe.xmp\0\0\0\0\0'), xmp(LION)]), 'A lion & a bear'],
  ['EXIF', 'eXIf', exif(1, { description: 'A lion' }), 'A lion'],
  ['a text', 'tEXt', Buffer.from('Description\0Ein Löwe', 'latin1'), 'Ein Löwe'],
  ['an international text', 'iTXt', Buffer.from('Description\0\0\0de\0Beschreibung\0Ein Löwe'), 'Ein Löwe'],
]

for (const [name, chunk, content, description] of IN_PNG) {
  test(`the description embedded in a PNG: ${name}`, { skip }, async () => {
    const expected = reading('image/png', { metadata: UPRIGHT, description })
    assert.deepEqual(await read('a.png', pngWith(made('png'), chunk, content)), expected)
  })
}

test('the description embedded in a WebP is found', { skip }, async () => {
  const found = await read('a.webp', Buffer.concat([made('webp'), Buffer.from('XMP \0\0\0\0'), xmp(LION)]))
  assert.deepEqual(found, reading('image/webp', { metadata: UPRIGHT, description: 'A lion & a bear' }))
})

/** An AVIF of 40 by 20 with the EXIF description “Ferry in the harbour”. */
const AVIF = Buffer.from(
  `AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAAEsbWV0YQAAAAAAAAAhaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAAAAAAAOcG
l0bQAAAAAAAQAAACxpbG9jAAAAAEQAAAIAAQAAAAEAAAGOAAAAKwACAAAAAQAAAVQAAAA6AAAAQWlpbmYAAAAAAAIAAAAaaW5mZQIAAAAAAQAA
YXYwMUNvbG9yAAAAABlpbmZlAgAAAAACAABFeGlmRXhpZgAAAAAaaXJlZgAAAAAAAAAOY2RzYwACAAEAAQAAAGppcHJwAAAAS2lwY28AAAAUaX
NwZQAAAAAAAAAoAAAAFAAAABBwaXhpAAAAAAMICAgAAAAMYXYxQ4EADAAAAAATY29scm5jbHgAAQANAAaAAAAAF2lwbWEAAAAAAAAAAQABBAEC
gwQAAABtbWRhdAAAAAZFeGlmAABNTQAqAAAACAABAQ4AAgAAABUAAAAaAAAAAEZlcnJ5IGluIHRoZSBoYXJib3VyAAASAAoJGBUnm0QENBoQMh
wUx4eGZQIIIJ5QAAAAx5O05wWRknvM7TDbJmeh`,
  'base64',
)
for (const encoding of ENCODINGS)
  test(`the EXIF item of an AVIF is read in ${encoding}`, async () => {
    const avif = Buffer.from(AVIF)
    avif.write(encoding === 'utf8' ? 'Fähre an der Küste' : 'Fähre an der Küste..', avif.indexOf('Ferry'), encoding)
    const expected = encoding === 'utf8' ? 'Fähre an der Küste' : 'Fähre an der Küste..'
    assert.equal((await read('a.avif', avif)).description, expected)
  })

test('the description of a TIFF is found', { skip }, async () => {
  convert('-size', '60x40', 'plasma:red-blue', '-set', 'comment', 'A lion', path('described.tiff'))
  assert.equal((await readPath(path('described.tiff'))).description, 'A lion')
})

test('the punctuation of Windows-1252 in EXIF is read, and text ends at its first zero', { skip }, async () => {
  const text = Buffer.from('Anna\x92s \x93ferry\x94 \x96 5 \x80\0\xff\xff', 'latin1')
  const block = exif(1, { description: text.toString('latin1'), encoding: 'latin1' })
  const found = await read('a.png', pngWith(made('png'), 'eXIf', block))
  assert.equal(found.description, 'Anna’s “ferry” – 5 €')
})

test('the EXIF chunk at the end of a WebP of several megabytes is read', { skip }, async () => {
  const block = exif(1, { description: 'A ferry' })
  const [filler, chunk] = [Buffer.alloc(8), Buffer.alloc(8)]
  filler.write('ICCP')
  filler.writeUInt32LE(3 << 20, 4)
  chunk.write('EXIF')
  chunk.writeUInt32LE(block.length, 4)
  const webp = Buffer.concat([made('webp'), filler, Buffer.alloc(3 << 20, 1), chunk, block])
  assert.equal((await read('a.webp', webp)).description, 'A ferry')
})

const png = (width: number, height: number) => {
  const head = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\0\0\0\0\0\x08\0\0\0\0\0\0\0\0\0\0\0\0IDAT', 'latin1')
  head.writeUInt32BE(width, 16)
  head.writeUInt32BE(height, 20)
  return head
}
const gif = (...size: number[]) => Buffer.from([...Buffer.from('GIF89a'), ...size, 0, 0, 0])
const isLarge = { width: 65535, height: 65535 }

test('pictures that claim to be huge take no more time or memory', async () => {
  const read1 = await read('a.gif', gif(255, 255, 255, 255))
  assert.deepEqual(read1, reading('image/gif', { metadata: isLarge }))
  const largest = { width: 2 ** 31 - 1, height: 2 ** 31 - 1 }
  const read2 = await read('a.png', png(2 ** 31 - 1, 2 ** 31 - 1))
  assert.deepEqual(read2, reading('image/png', { metadata: largest }))
})

const NO_SIZE = 'it does not contain its width and height; export it again'
const HOSTILE: [string, string, Buffer, string][] = [
  ['a PNG wider than PNGs can be', 'a.png', png(2 ** 31, 1), 'image/png'],
  ['a PNG of no height', 'a.png', png(1, 0), 'image/png'],
  ['a GIF of no width', 'a.gif', gif(0, 0, 1, 0), 'image/gif'],
  ['a PNG that ends in its head', 'a.png', png(1, 1).subarray(0, 18), 'image/png'],
  ['an empty file', 'a.jpg', Buffer.alloc(0), 'image/jpeg'],
  ['plain text', 'a.png', Buffer.from('This is not a picture.'), 'image/png'],
  ['a JPEG that ends at once', 'a.jpg', Buffer.from([0xff, 0xd8, 0xff, 0xe0]), 'image/jpeg'],
]

for (const [name, file, bytes, contentType] of HOSTILE) {
  test(`a picture that cannot be read is a warning: ${name}`, async () => {
    assert.deepEqual(await read(file, bytes), unreadable(contentType, NO_SIZE))
  })
}

const DOWNLOADS: [string, Buffer, string][] = [
  ['a.dwg', Buffer.from('AC1032\0\0'), 'image/vnd.dwg'],
  ['a.dxf', Buffer.from('0\r\nSECTION\r\n'), 'image/vnd.dxf'],
  ['a.emf', Buffer.from('\x01\0\0\0\x6c\0\0\0', 'latin1'), 'image/emf'],
  ['a.wmf', Buffer.from('\xd7\xcd\xc6\x9a\0\0', 'latin1'), 'image/wmf'],
  ['a.pcx', Buffer.from('\x0a\x05\x01\x08', 'latin1'), 'image/vnd.zbrush.pcx'],
  ['a.tga', Buffer.from('\0\0\x0a\0'), 'image/x-tga'],
  ['a.jxr', Buffer.from('II\xbc\x01', 'latin1'), 'image/jxr'],
  ['a.xcf', Buffer.from('gimp xcf v011\0'), 'image/x-xcf'],
]

test('CAD drawings, metafiles and other rare formats are downloads, not unreadable pictures', async () => {
  for (const [file, bytes, contentType] of DOWNLOADS)
    assert.deepEqual(await read(file, bytes), reading(contentType), file)
})

const SIGNATURES: [string, Buffer][] = [
  ['a.png', png(1, 1).subarray(0, 16)],
  ['a.gif', Buffer.from('GIF89a')],
  ['a.jpg', Buffer.from('\xff\xd8\xff\xe1\0\x40Exif\0\0MM\0*', 'latin1')],
  ['a.webp', Buffer.from('RIFF\x20\0\0\0WEBPVP8X')],
  ['a.avif', Buffer.from('\0\0\0\x10ftypavif\0\0\0\0\0\0\0\x40meta\0\0\0\0')],
  ['a.tiff', Buffer.from('II*\0\x08\0\0\0')],
  ['a.ico', Buffer.from('\0\0\x01\0')],
  ['a.svg', Buffer.from('<svg ')],
]

test('after the signature of a picture, random bytes never stop the reading', () =>
  forAllIn(120, [fc.constantFrom(...SIGNATURES), fc.uint8Array({ maxLength: 2000 })], async ([name, head], tail) => {
    const { metadata = {}, problems } = await read(name, Buffer.concat([head, tail]))
    assert.ok(problems.every(({ rule }) => /^(?:picture-(?:damaged|unreadable)|type-mismatch)$/.test(rule)))
    for (const length of Object.values(metadata))
      assert.ok(typeof length === 'number' && length > 0 && length < 2 ** 31)
  }))
