import assert from 'node:assert/strict'
import test from 'node:test'
import { charactersOf, hasCharacters } from '#brand/fonts/characters.ts'
import { openFont } from '#brand/fonts/open-font.ts'
import { textFonts } from '#people/editor/library/make-parts.ts'

const CASES = [
  ['fonts/text.woff2', 'Straße, “cœur” – it’s 20 €…'],
  ['fonts/text-extended.woff2', 'ąčđęğłňőřșťůž'],
  ['fonts/code.woff2', '# Größe `a` łódź'],
] as const

const fonts = new Map(await textFonts())

for (const [path, text] of CASES) {
  test(`${path} contains the letters of ${text}`, async () => {
    const opened = await openFont(Buffer.from(fonts.get(path) ?? []))
    assert.ok(opened.ok)
    assert.ok(hasCharacters(charactersOf(opened.value).ranges, text))
  })
}
