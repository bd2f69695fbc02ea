import assert from 'node:assert/strict'
import test from 'node:test'
import { makeParts } from '#people/editor/library/make-parts.ts'

const MAX_FONT_BYTES = 150_000
const parts = await makeParts()

test('an editor contains the library, the formats, four fonts and the licenses', () => {
  assert.deepEqual(
    [...parts.keys()].sort(),
    `
    LICENSE fonts/LICENSE fonts/code.woff2 fonts/icons.woff2 fonts/text-extended.woff2 fonts/text.woff2
    formats.js sveltia-cms.js
  `
      .trim()
      .split(/\s+/),
  )
})

test('the fonts of an editor have at most 150 kB together', () => {
  const fonts = [...parts].filter(([path]) => path.endsWith('.woff2'))
  const total = fonts.reduce((sum, [, bytes]) => sum + bytes.length, 0)
  assert.ok(total <= MAX_FONT_BYTES, `${total} bytes`)
})

test('the parts of an editor are the same each time', async () => {
  assert.deepEqual(await makeParts(), parts)
})
