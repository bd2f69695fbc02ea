import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contentTypeOf } from '#intake/media/content-type.ts'
import { codePoint, fc, forAllIn } from '../../support/random.ts'

const bytes = (latin1: string) => Buffer.from(latin1.padEnd(64, '\0'), 'latin1')
const text = (content: string) => Buffer.from(content)

const PNG = bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0\0\0\0\0\0\0\0\0IDAT')
const JPEG = bytes('\xff\xd8\xff\xe0\0\x10JFIF')
const GIF = bytes('GIF89a\x01\0\x01\0')
const WEBP = bytes('RIFF\x20\0\0\0WEBPVP8 ')
const PDF = bytes('%PDF-1.7\n%\xe2\xe3\xcf\xd3')
const ZIP = bytes('PK\x03\x04\x14\0\0\0\x08\0')
const TTF = bytes('\0\x01\0\0\0\x0f\0\x80\0\x03\0\x70GDEF')
const OTF = bytes('OTTO\0\x0f\0\x80\0\x03\0\x70CFF ')
const ICO = bytes('\0\0\x01\0\x01\0\x10\x10')
const CFB = bytes('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')
const isoMedia = (brand: string) => bytes(`\0\0\0\x20ftyp${brand}\0\0\0\0`)

const AGREEING: [string, Uint8Array, string][] = [
  ['a.png', PNG, 'image/png'],
  ['a.jpg', JPEG, 'image/jpeg'],
  ['a.gif', GIF, 'image/gif'],
  ['a.webp', WEBP, 'image/webp'],
  ['a.avif', isoMedia('avif'), 'image/avif'],
  ['a.avif', isoMedia('mif1'), 'image/avif'],
  ['a.heic', isoMedia('heic'), 'image/heic'],
  ['a.heic', isoMedia('mif1'), 'image/heic'],
  ['a.heif', isoMedia('heic'), 'image/heic'],
  ['a.ico', ICO, 'image/vnd.microsoft.icon'],
  ['a.cur', bytes('\0\0\x02\0\x01\0'), 'image/vnd.microsoft.icon'],
  ['a.tga', bytes('\0\0\x02\0\0\0'), 'image/x-tga'],
  ['a.tif', bytes('II*\0\xff\xff\xff\0'), 'image/tiff'],
  ['a.dng', bytes('II*\0\xff\xff\xff\0'), 'image/x-adobe-dng'],
  ['a.psd', bytes('8BPS\0\x01'), 'image/vnd.adobe.photoshop'],
  ['a.ttf', TTF, 'font/ttf'],
  ['a.ttf', bytes('true\0\x0f\0\x80\0\x03\0\x70OS/2'), 'font/ttf'],
  ['a.otf', OTF, 'font/otf'],
  ['a.otf', TTF, 'font/otf'],
  ['a.ttf', OTF, 'font/otf'],
  ['a.ttc', bytes('ttcf\0\x01\0\0'), 'font/collection'],
  ['a.woff', bytes('wOFF\0\x01\0\0'), 'font/woff'],
  ['a.woff', bytes('wOFFtrue'), 'font/woff'],
  ['a.woff2', bytes('wOF2OTTO'), 'font/woff2'],
  ['a.pdf', PDF, 'application/pdf'],
  ['a.ai', PDF, 'application/pdf'],
  ['a.ai', text('%!PS-Adobe-3.0\n'), 'application/postscript'],
  ['a.eps', text('%!PS-Adobe-3.0 EPSF-3.0\n'), 'application/postscript'],
  ['a.eps', bytes('\xc5\xd0\xd3\xc6\x1e\0'), 'application/postscript'],
  ['a.zip', ZIP, 'application/zip'],
  ['a.docx', ZIP, 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['a.key', ZIP, 'application/vnd.apple.keynote'],
  ['a.doc', CFB, 'application/msword'],
  ['a.svg', text('<svg/>'), 'image/svg+xml'],
  ['a.svg', text('<?xml version="1.0"?>\n<svg/>'), 'image/svg+xml'],
  ['a.svg', text(`<?xml version="1.0"?>\n<!-- ${'long '.repeat(1000)}`), 'image/svg+xml'],
  ['a.svg', text('<!-- a --><!DOCTYPE svg [<!ENTITY a "b">]><s:svg>'), 'image/svg+xml'],
  ['a.svgz', bytes('\x1f\x8b\x08\0'), 'image/svg+xml'],
  ['a.gz', bytes('\x1f\x8b\x08\0'), 'application/gzip'],
  ['a.xml', text('<?xml version="1.0"?><a/>'), 'application/xml'],
  ['a.html', text('<?xml version="1.0"?><html/>'), 'text/html'],
  ['a.mp4', isoMedia('isom'), 'video/mp4'],
  ['a.mov', isoMedia('isom'), 'video/mp4'],
  ['a.mp3', bytes('ID3\x04\0\0\0\0\x0f\x7f'), 'audio/mpeg'],
  ['a.mp3', bytes('\xff\xfb\x90\x64'), 'audio/mpeg'],
  ['a.rtf', text('{\\rtf1\\ansi}'), 'application/rtf'],
  ['a.json', text('{}'), 'application/json'],
  ['a.md', text('# A'), 'text/markdown'],
  ['a.txt', text('BMW is a brand'), 'text/plain'],
  ['a.txt', text('GIF, PNG and JPEG'), 'text/plain'],
  ['a.txt', text('solid colours only'), 'text/plain'],
  ['a.txt', text('II* is no TIFF'), 'text/plain'],
  ['a.tex', text('%!TEX root = a.tex'), 'application/x-tex'],
  ['a.txt', Buffer.from('\ufeffBMW', 'utf16le'), 'text/plain'],
  ['a.txt', Buffer.from('MZ für Löwen', 'latin1'), 'text/plain'],
  ['a.png', text(''), 'image/png'],
  ['a', PNG, 'image/png'],
  ['a.constructor', PNG, 'image/png'],
  ['png', text('x'), 'application/octet-stream'],
  ['LICENSE', text('MIT'), 'application/octet-stream'],
  ['a', Buffer.from([0, 1]), 'application/octet-stream'],
  ['a', bytes('\0\x01\0\0'), 'application/octet-stream'],
  ['a', bytes('\0\x01\0\0\0\x0f\0\x80\0\x03\0\x70\x01\x02\x03\x04'), 'application/octet-stream'],
  ['a', text('true\0'), 'application/octet-stream'],
  ['a', bytes('OTTO\x01'), 'application/octet-stream'],
  ['a', bytes('ttcf\x01'), 'application/octet-stream'],
  ['a.txt', text('wOFF is a format'), 'text/plain'],
  ['a.txt', text('wOF2 is a format'), 'text/plain'],
  ['a.ttf', Buffer.from([0, 1]), 'font/ttf'],
  ['a.acb', bytes('8BCB'), 'application/octet-stream'],
  ['\u202e\n\0"<a>.png', PNG, 'image/png'],
]

for (const [name, content, contentType] of AGREEING) {
  const start = JSON.stringify(Buffer.from(content).toString('latin1', 0, 24))
  test(`${JSON.stringify(name)} of ${start} is ${contentType} without a warning`, async () => {
    assert.deepEqual(await contentTypeOf(content, name), { contentType, problems: [] })
  })
}

const DISAGREEING: [string, Uint8Array, string, string, string][] = [
  ['a.jpg', PNG, 'image/jpeg', 'image/png', 'png'],
  ['a.png', JPEG, 'image/png', 'image/jpeg', 'jpg'],
  ['a.png', ICO, 'image/png', 'image/vnd.microsoft.icon', 'ico'],
  ['a.svg', PNG, 'image/svg+xml', 'image/png', 'png'],
  ['a.avif', isoMedia('heic'), 'image/avif', 'image/heic', 'heic'],
  ['a.woff2', TTF, 'font/woff2', 'font/ttf', 'ttf'],
  ['a.ttf', bytes('wOFF\0\x01\0\0'), 'font/ttf', 'font/woff', 'woff'],
  ['a.ttf', bytes('ttcf\0\x01\0\0'), 'font/ttf', 'font/collection', 'ttc'],
  ['a.eps', PDF, 'application/postscript', 'application/pdf', 'pdf'],
  ['a.pdf', ZIP, 'application/pdf', 'application/zip', 'zip'],
]

for (const [name, content, meant, contentType, better] of DISAGREEING) {
  test(`${name} with the content of ${contentType} is served as that, with a warning that suggests a name`, async () => {
    const message = `the name and the content differ: ${name.slice(1)} means ${meant}, but the content is ${contentType} and is served as that; rename the file to end in .${better}`
    const problems = [{ rule: 'type-mismatch', line: null, message }]
    assert.deepEqual(await contentTypeOf(content, name), { contentType, problems })
  })
}

test('a ZIP archive with the name of a font is a warning that says to unpack it', async () => {
  for (const name of ['a.woff2', 'a.otf']) {
    const { contentType, problems } = await contentTypeOf(ZIP, name)
    assert.equal(contentType, 'application/zip')
    assert.match(problems[0]?.message ?? '', /^is a ZIP archive, not a font, .*: unpack it/)
  }
})

test('a Git LFS pointer is a warning that explains how to get the file', async () => {
  const pointer = text('version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n')
  const message =
    'cannot read the content: this is a Git LFS pointer, not the file itself; run "git lfs pull" and import again'
  const problems = [{ rule: 'type-mismatch', line: null, message }]
  assert.deepEqual(await contentTypeOf(pointer, 'logo.png'), { contentType: 'text/plain', problems })
})

test('any bytes with any name have a type', async () => {
  const starts = [PNG, JPEG, GIF, WEBP, PDF, ZIP, TTF, ICO, CFB, isoMedia('mif1'), bytes('OggS'), bytes('ID3')]
  const start = fc.constantFrom(...starts.map(content => content.subarray(0, 12)), text('<!--'), text('<!DOCTYPE a ['))
  await forAllIn(
    120,
    [start, fc.uint8Array({ maxLength: 4000 }), fc.string({ unit: codePoint })],
    async (head, tail, name) => {
      const { contentType } = await contentTypeOf(Buffer.concat([head, tail]), name)
      assert.match(contentType, /^[a-z]+\/[\w.+-]+(; codecs=opus)?$/)
    },
  )
})

test('text with unclosed comments is quickly recognized as not an SVG', async () => {
  assert.equal((await contentTypeOf(text('<!---->'.repeat(585)), 'a.md')).contentType, 'text/markdown')
})
