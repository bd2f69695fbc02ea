import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import * as hb from 'harfbuzzjs'
import { unpackFont } from '#brand/fonts/unpack-font.ts'
import { COLLECTION_ICONS, iconFont } from '#people/editor/library/make-parts.ts'

const library = readFileSync(
  new URL('../../../../node_modules/@sveltia/cms/dist/sveltia-cms.js', import.meta.url),
  'utf8',
)

const font = await iconFont(library)
const isIcon = await shaper(font)

test('the icon font has every icon that the library shows by name', () => {
  const names = Array.from(library.matchAll(/\bTl\(\w+,\{name:`(\w+)`/g), ([, name = '']) => name)
  assert.ok(names.length > 30)
  const unexpected = names.filter(name => !isIcon(name))
  assert.deepEqual(unexpected, [])
})

test('the icon font has the icons of the collections', () => {
  const unexpected = COLLECTION_ICONS.filter(name => !isIcon(name))
  assert.deepEqual(unexpected, [])
})

/** Tells whether a font replaces all letters of a word by one glyph. */
async function shaper(bytes: Uint8Array): Promise<(word: string) => boolean> {
  const unpacked = await unpackFont(Buffer.from(bytes))
  assert.ok(unpacked.ok)
  const shaped = new hb.Font(new hb.Face(new hb.Blob(unpacked.value)))
  return word => {
    const buffer = new hb.Buffer()
    buffer.addText(word)
    buffer.guessSegmentProperties()
    hb.shape(shaped, buffer, [])
    const [glyph, ...others] = buffer.getGlyphInfos()
    return glyph !== undefined && glyph.codepoint !== 0 && others.length === 0
  }
}
