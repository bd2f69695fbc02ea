import assert from 'node:assert/strict'
import test from 'node:test'
import { listEnd } from '../../../src/site/layout/list-end.ts'
import { LANGUAGES, wordsFor } from '../../../src/site/words/words.ts'

test('a list of up to 1,000 entries has no end', () => {
  for (const count of [0, 1, 1000]) assert.equal(listEnd(wordsFor('en'), count, '/all'), undefined)
})

for (const lang of LANGUAGES)
  test(`in ${lang}, the end of a longer list says how many entries it has, and links to all`, () => {
    const words = wordsFor(lang)
    const end = listEnd(words, 12_345, '/sitemap.xml')?.text ?? ''
    assert.match(end, /^<p class="quiet">[^<]+<a href="\/sitemap\.xml">[^<]+<\/a>[^<]*<\/p>\n$/)
    for (const number of [1000, 12_345]) assert.ok(end.includes(words.number(number)), end)
  })
