import assert from 'node:assert/strict'
import test from 'node:test'
import { readUtf8 } from '#intake/folder/utf8.ts'
import { failed, ok } from '#platform/base/result.ts'
import { fc, forAllIn } from '../../support/random.ts'

const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))

test('the text of a file is its bytes decoded as UTF-8, with the byte order mark', () => {
  const text = '\uFEFFBlåu\r\n🎨 \uFFFD\n'
  assert.deepEqual(readUtf8(new TextEncoder().encode(text)), ok(text))
  assert.deepEqual(readUtf8(new Uint8Array()), ok(''))
})

const refused: [name: string, bytes: Uint8Array, line: number, byte: string][] = [
  ['Latin-1', bytes('a\nb\nBlå'), 3, 'E5'],
  ['Latin-1 with CRLF', bytes('a\r\nb\r\nBlå'), 3, 'E5'],
  ['Latin-1 with CR', bytes('a\rb\rBlå\r'), 3, 'E5'],
  ['UTF-16', bytes('\xff\xfea\0'), 1, 'FF'],
  ['a character cut short', bytes('a\n\xf0\x9f'), 2, 'F0'],
  ['a character cut short after U+FFFD', bytes('\xef\xbf\xbd\n\xef\xbf'), 2, 'EF'],
  ['an overlong slash', bytes('\n\n\xc0\xaf'), 3, 'C0'],
  ['a surrogate', bytes('\xed\xa0\x80'), 1, 'ED'],
  ['a continuation byte alone', bytes('\x80'), 1, '80'],
]
for (const [name, source, line, byte] of refused)
  test(`the text of a file with ${name} is rejected, with the line`, () =>
    assert.deepEqual(
      readUtf8(source),
      failed({ rule: 'not-utf8', line, message: `the byte 0x${byte} is not UTF-8; save the file as UTF-8` }),
    ))

test('the text of a file is rejected exactly when a strict decoder rejects it', () =>
  forAllIn(500, [fc.uint8Array({ maxLength: 12 })], source => {
    const read = readUtf8(source)
    let text: string | undefined
    try {
      text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(source)
    } catch {}
    if (text === undefined) assert.equal(read.ok, false)
    else assert.deepEqual(read, ok(text))
  }))
