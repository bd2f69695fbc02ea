import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import test from 'node:test'
import { decodeText, encodeLike, equalsInConstantTime, readAll } from '#platform/base/bytes.ts'

test('secrets are equal if all of their bytes are', () => {
  for (const [one, other, isEqual] of [
    ['', '', true],
    ['a', 'a', true],
    ['ä', 'ä', true],
    ['a', 'b', false],
    ['a', 'ab', false],
    ['', 'a', false],
  ] as const)
    assert.equal(equalsInConstantTime(one, other), isEqual, `${one} and ${other}`)
})

test('chunks are read to their end, unless they have too many bytes', async () => {
  const chunks = () => Readable.from([Buffer.from('ab'), Buffer.from('c')])
  const tooMany = () => new Error('too many')
  assert.equal((await readAll(chunks(), 3, tooMany)).toString(), 'abc')
  await assert.rejects(readAll(chunks(), 2, tooMany), { message: 'too many' })
})

const TEXTS = ['', 'a\r\nb\n\rc', 'Grün 😀 \u0000', '\ufeff twice']

for (const text of TEXTS)
  test(`text in any encoding keeps its bytes: ${JSON.stringify(text)}`, () => {
    const little = Buffer.from(`\ufeff${text}`, 'utf16le')
    const files: [string, Buffer, string][] = [
      ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${text}`), text],
      ['UTF-16 LE', little, text],
      ['UTF-16 BE', Buffer.from(little).swap16(), text],
      ['UTF-8', Buffer.from(text), text.replace(/^\ufeff/, '')],
    ]
    for (const [name, bytes, expected] of files) {
      const decoded = decodeText(bytes)
      assert.equal(decoded, expected, name)
      assert.deepEqual(Buffer.from(encodeLike(bytes, decoded ?? '')), bytes, name)
    }
  })

test('bytes that are not text in a known encoding have no text', () => {
  const files = [[0xff], [0xc3], [0xff, 0xfe, 0x00], [0xff, 0xfe, 0x00, 0xd8], [0xed, 0xa0, 0x80], [0x61, 0xe9]]
  for (const bytes of files) assert.equal(decodeText(Uint8Array.from(bytes)), undefined)
})

test('every text that can be decoded is encoded to the same bytes', () => {
  let seed = 7
  for (let round = 0; round < 5000; round++) {
    const bytes = Uint8Array.from({ length: round % 9 }, (_, at) => {
      seed = (seed * 48271) % 2147483647
      return at < 2 && round % 3 === 0 ? 0xff - ((at + round) & 1) : seed % 256
    })
    const text = decodeText(bytes)
    if (text !== undefined) assert.deepEqual(Uint8Array.from(encodeLike(bytes, text)), bytes)
  }
})
