import assert from 'node:assert/strict'
import test from 'node:test'
import { Html, html } from '../../../src/site/html.ts'
import { pageLinks } from '../../../src/site/layout/pagination.ts'
import { de } from '../../../src/site/words/de.ts'
import { en } from '../../../src/site/words/en.ts'
import { enUs } from '../../../src/site/words/en-us.ts'
import { LANGUAGES, withEnglish, wordsFor } from '../../../src/site/words/words.ts'

for (const [lang, table] of Object.entries(LANGUAGES))
  test(`each word in ${lang} exists in English and contains all its arguments`, context => {
    const [texts, english] = [textsOf(table()), textsOf(en())]
    for (const [key, text] of texts) {
      const parameters = parametersOf(english.get(key))
      assert.equal(parametersOf(text), parameters, `${key} takes other parameters than in English`)
      const given = SAMPLES.slice(0, parameters)
      const said = saidBy(text, given)
      assert.notEqual(said.trim(), '', `${key} has no text`)
      for (const sample of given) assert.ok(said.includes(String(sample)), `${key} omits an argument: ${said}`)
      assert.doesNotMatch(said, /undefined|#|\[object/, key)
    }
    const missing = [...english.keys()].filter(key => !texts.has(key))
    if (missing.length > 0) context.diagnostic(`${lang} lacks ${missing.join(', ')}`)
  })

test('a word that a language lacks is in an element marked as English, and is plain English in an attribute', () => {
  const { next: _, page: __, pages: ___, ...lists } = { ...de().lists }
  const words = { ...wordsFor('de'), ...withEnglish(en(), { ...de(), lists }) }
  assert.equal(
    pageLinks(words, '/acme/guide/-/colors', { number: 2, count: 3 })?.text,
    '<nav class="neighbours" aria-label="Pages of the list">' +
      '<a rel="prev" href="/acme/guide/-/colors"><span class="quiet">Zurück</span> <bdi lang="en" dir="ltr">Page 1</bdi></a>' +
      '<a rel="next" href="/acme/guide/-/colors?page=3"><span class="quiet"><bdi lang="en" dir="ltr">Next</bdi></span> <bdi lang="en" dir="ltr">Page 3</bdi></a>\n' +
      '<p class="quiet">Seite 2 von 3.</p></nav>',
  )
})

test('American English has its own spelling, and no British word is left', () => {
  const samples = (text: unknown) => saidBy(text, SAMPLES)
  const british = [...textsOf(enUs())].filter(([, text]) => /olour|icence/i.test(samples(text)))
  assert.deepEqual(british, [])
  assert.equal(`${wordsFor('en-US').sections.colors}`, 'Colors')
  for (const tag of ['en', 'en-GB', 'en-AU']) assert.equal(`${wordsFor(tag).sections.colors}`, 'Colours')
})

test('an English sentence with a link is marked as English, and its arguments stay escaped', () => {
  const { pages } = wordsFor('pl')
  assert.equal(
    html`<p>${pages.firstOfAll(100, '/a?"')}</p>`.text,
    '<p><bdi lang="en" dir="ltr">These are the first 100 of <a href="/a?&#34;">all pages</a>.</bdi></p>',
  )
  assert.equal(html`<p>${pages.toReference('<b>')}</p>`.text.includes('<b>'), false)
})

/** Small numbers, which also serve as strings, and have the same form in all these languages. */
const SAMPLES = [3, 7, 9]

/** The words of a table, keyed by path: `frame.menu`. */
function textsOf(table: object, above = ''): Map<string, unknown> {
  return new Map(
    Object.entries(table).flatMap(([key, value]): [string, unknown][] =>
      typeof value === 'object' && value !== null
        ? [...textsOf(value, `${above}${key}.`)]
        : [[`${above}${key}`, value]],
    ),
  )
}

function parametersOf(text: unknown): number {
  return typeof text === 'function' ? text.length : 0
}

function saidBy(text: unknown, given: readonly number[]): string {
  const said: unknown = typeof text === 'function' ? text(...given) : text
  return said instanceof Html ? said.text : String(said)
}

test('a guide has the words of its language, with the formats of its region', () => {
  const found = ['de', 'de-AT', 'DE-ch', 'pt-PT', 'en-US', 'en', undefined].map(tag => {
    const { lang, frame, number } = wordsFor(tag)
    return [lang, frame.menu, number(12_345).replace(/\s/g, ' ').replace('’', "'")]
  })
  assert.deepEqual(found, [
    ['de', 'Menü', '12.345'],
    ['de', 'Menü', '12 345'],
    ['de', 'Menü', "12'345"],
    ['pt', 'Menu', '12 345'],
    ['en', 'Menu', '12,345'],
    ['en', 'Menu', '12,345'],
    ['en', 'Menu', '12,345'],
  ])
  const { frame, bytes, day } = wordsFor('ar-EG')
  assert.deepEqual(
    [frame.menu, bytes(71_000), day(new Date('2026-03-07'))],
    ['القائمة', '\u206871\u00a0كيلوبايت\u2069', '7 مارس 2026'],
  )
})

test('a language without a table has English words, marked as such, and English formats', () => {
  const { lang, frame, number } = wordsFor('pl')
  const shown = html`<p>${frame.menu}</p>`.text
  assert.deepEqual([lang, shown, number(12_345)], ['en', '<p><bdi lang="en" dir="ltr">Menu</bdi></p>', '12,345'])
  for (const tag of ['zh-Hant', 'he-IL', 'und', 'valueof']) assert.equal(wordsFor(tag), wordsFor('pl'), tag)
  assert.equal(wordsFor('de-u-nu-thai-x-acme'), wordsFor('de'))
})

test('one result, no result and many have the forms of their language', () => {
  const told = ['en', 'de', 'fr', 'ja', 'ar-EG'].map(lang => [0, 1, 2].map(count => wordsFor(lang).files.count(count)))
  assert.deepEqual(told, [
    ['0 files', '1 file', '2 files'],
    ['0 Dateien', '1 Datei', '2 Dateien'],
    ['0 fichier', '1 fichier', '2 fichiers'],
    ['0 ファイル', '1 ファイル', '2 ファイル'],
    ['لا ملفات', 'ملف واحد', 'ملفان'],
  ])
})

test('arguments of words stay escaped in every language', () => {
  for (const lang of Object.keys(LANGUAGES)) {
    const { pages, search } = wordsFor(lang)
    assert.match(
      pages.firstOfAll(100, '/a/b/-/pages?"><b>').text,
      /href="\/a\/b\/-\/pages\?&#34;&#62;&#60;b&#62;"/,
      lang,
    )
    assert.match(search.tryOther('/a?"').text, /href="\/a\?&#34;"/, lang)
  }
})
