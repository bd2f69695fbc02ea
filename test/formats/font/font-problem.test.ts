import assert from 'node:assert/strict'
import { globSync, openSync, readSync } from 'node:fs'
import test from 'node:test'
import { hasFontHeader } from '#formats/font/font-problem.ts'
import { collection, INTER, sfnt } from '../../support/fonts.ts'

const FONTS = globSync('node_modules/{@ibm/plex-sans/fonts/complete,@fontsource/inter}/**/*.{ttf,otf,woff,woff2}')

test(`all ${FONTS.length} fonts of IBM Plex Sans and Inter have a font header`, () => {
  assert.ok(FONTS.length > 100)
  const unexpected = FONTS.filter(path => !hasFontHeader(startOf(path)))
  assert.deepEqual(unexpected, [])
  for (const bytes of [sfnt(INTER), collection([INTER, INTER])]) assert.ok(hasFontHeader(bytes))
})

function startOf(path: string): Uint8Array {
  const bytes = new Uint8Array(28)
  readSync(openSync(path, 'r'), bytes)
  return bytes
}

for (const [what, bytes] of [
  ['no bytes', ''],
  ['two bytes', '\0\x01'],
  ['a signature alone', '\0\x01\0\0'],
  ['no tables', `\0\x01\0\0${'\0'.repeat(40)}`],
  ['a first table without a tag', `\0\x01\0\0\0\x0f${'\0'.repeat(40)}`],
  ['a directory that ends before its first tag', '\0\x01\0\0\0\x0f\0\x80\0\x03\0\x70'],
  ['a sentence about WOFF', 'wOFF is a format for the web'],
  ['another format', '\x89PNG\r\n\x1a\n'],
] as const)
  test(`${what} is not a font header`, () => assert.equal(hasFontHeader(Buffer.from(bytes, 'latin1')), false))
