import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import test from 'node:test'
import { LANGUAGES } from '#brand/languages.ts'
import { html } from '#site/html.ts'
import { americanWords, formattersFor, isGroup, readWords, translatedWords, wordsFor } from '#site/words/words.ts'

const FOLDER = new URL('../../../src/', import.meta.url)
const ENGLISH = wordsIn(readWords('en'))

for (const lang of LANGUAGES)
  test(`the words in ${lang} exist in English, with its placeholders and the plural forms of the language`, context => {
    const words = wordsIn(readWords(lang))
    for (const [key, word] of words) {
      const english = ENGLISH.get(key)
      assert.notEqual(english, undefined, `${key} is not in en.ts`)
      const isPlural = typeof english === 'object'
      const forms = formsOf(word, isPlural ? 'other' : 'text')
      assert.deepEqual(Object.keys(forms).sort(), isPlural ? pluralsOf(lang) : ['text'], `${key} has other forms`)
      for (const text of Object.values(forms)) assertForm(key, text, placeholdersOf(english), isPlural)
    }
    const missing = [...ENGLISH.keys()].filter(key => !words.has(key))
    if (missing.length > 0) context.diagnostic(`${lang} lacks ${missing.join(', ')}`)
  })

/** Klingon has no words here, and no formats in Node. */
const UNTRANSLATED = 'tlh'

test('each word is used in a view, alone or in a group that is looked up by values of the content', () => {
  const sources = globSync('**/*.ts', { cwd: FOLDER, exclude: ['site/words/**'] }).map(path =>
    readFileSync(new URL(path, FOLDER), 'utf8'),
  )
  const isUsed = (group: string, name: string) => {
    const use = new RegExp(`(?:\\.|[{,]\\s*)${name}\\b`)
    return sources.some(text => new RegExp(`\\b${group}\\b`).test(text) && use.test(text))
  }
  const unused = [...ENGLISH.keys()].filter(key => {
    const names = key.split('.')
    const lookup = names.findIndex(name => LOOKED_UP.has(name))
    const [group = '', name = ''] = (lookup === -1 ? names : ['words', ...names.slice(0, lookup + 1)]).slice(-2)
    return !isUsed(group, name)
  })
  assert.deepEqual(unused, [])
})

const LOOKED_UP: ReadonlySet<string> = new Set(
  `
  verdicts sections becomes use forms scopeNames refusals uses levels levelHeadings slants casings axes
  featureNames fields items kinds rights media outcomes script
`
    .trim()
    .split(/\s+/),
)

/** The names of the values that a word needs. */
function placeholdersOf(word: unknown): string[] {
  const marks = JSON.stringify(word).matchAll(/\{(\w+)\}|<(link)>/g)
  return [...new Set([...marks].map(([, name, link]) => name ?? link ?? ''))]
}

/** Checks one text of a word: a plural form may omit the number, as in "One result". */
function assertForm(key: string, text: string, placeholders: readonly string[], isPlural: boolean): void {
  const own = placeholdersOf(text)
  const omitted = placeholders.filter(name => !own.includes(name) && !(isPlural && name === 'count'))
  const unknown = own.filter(name => !placeholders.includes(name))
  assert.deepEqual({ omitted, unknown }, { omitted: [], unknown: [] }, `${key}: ${text}`)
  assert.notEqual(text.trim(), '', `${key} is empty`)
  const shown = text.replace(/<link>[^<>{}]+<\/link>/, '').replace(/\{\w+\}/g, '')
  assert.doesNotMatch(shown, /[<>{}]|&\w+;/, `${key}: ${text}`)
}

/** The words of a table, keyed by path: `frame.menu`. */
function wordsIn(group: unknown, above = ''): Map<string, unknown> {
  return new Map(
    Object.entries(Object(group)).flatMap(([key, value]): [string, unknown][] =>
      isGroup(value) ? [...wordsIn(value, `${above}${key}.`)] : [[`${above}${key}`, value]],
    ),
  )
}

function formsOf(word: unknown, only: string): Record<string, string> {
  return typeof word === 'string' ? { [only]: word } : Object(word)
}

/** The forms of whole numbers below a million. */
function pluralsOf(lang: string): string[] {
  const rules = new Intl.PluralRules(lang)
  return [...new Set(Array.from({ length: 1000 }, (_, count) => rules.select(count)))].sort()
}

test('a word that a language lacks is in an element marked as English, and is plain English in an attribute', () => {
  const table = Object(readWords('de'))
  const { next: _, neighbours: __, ...others } = table.pages
  const { pages } = translatedWords('de', { ...table, pages: others })
  assert.equal(
    html`<nav aria-label="${pages.neighbours}">${pages.previous} ${pages.next}</nav>`.text,
    '<nav aria-label="Previous and next page">Zurück <bdi lang="en" dir="ltr">Next</bdi></nav>',
  )
})

test('American English has its own spelling, and no British word is left', () => {
  const british = [...wordsIn(americanWords())].filter(([, word]) => /olour|icence/i.test(JSON.stringify(word)))
  assert.deepEqual(british, [])
  assert.equal(`${wordsFor('en-US').sections.colors}`, 'Colors')
  for (const tag of ['en', 'en-GB', 'en-AU']) assert.equal(`${wordsFor(tag).sections.colors}`, 'Colours')
})

test('an English sentence with a link is marked as English, and its arguments stay escaped', () => {
  const { pages } = wordsFor(UNTRANSLATED)
  assert.equal(
    html`<p>${pages.firstOfAll({ first: 100, link: '/a?"' })}</p>`.text,
    '<p><bdi lang="en" dir="ltr">These are the first 100 of <a href="/a?&#34;">all pages</a>.</bdi></p>',
  )
  assert.equal(html`<p>${pages.toReference({ footnote: '<b>' })}</p>`.text.includes('<b>'), false)
})

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
  const seen = [frame.menu, bytes(71_000), day(new Date('2026-03-07'))]
  assert.deepEqual(seen, ['القائمة', '\u206871\u00a0كيلوبايت\u2069', '7 مارس 2026'])
})

test('a language without a table has English words, marked as such, and English formats', () => {
  const { lang, frame, number } = wordsFor(UNTRANSLATED)
  const shown = html`<p>${frame.menu}</p>`.text
  assert.deepEqual([lang, shown, number(12_345)], ['en', '<p><bdi lang="en" dir="ltr">Menu</bdi></p>', '12,345'])
  for (const tag of ['zh-Hant', 'he-IL', 'und', 'valueof']) assert.equal(wordsFor(tag), wordsFor(UNTRANSLATED), tag)
  assert.equal(wordsFor('de-u-nu-thai-x-acme'), wordsFor('de'))
})

test('one result, no result and many have the forms of their language', () => {
  const told = ['en', 'de', 'fr', 'ja', 'ar-EG'].map(lang =>
    [0, 1, 2].map(count => wordsFor(lang).files.count({ count })),
  )
  assert.deepEqual(told, [
    ['0 files', '1 file', '2 files'],
    ['0 Dateien', '1 Datei', '2 Dateien'],
    ['0 fichier', '1 fichier', '2 fichiers'],
    ['0 ファイル', '1 ファイル', '2 ファイル'],
    ['لا ملفات', 'ملف واحد', 'ملفان'],
  ])
})

test('a size is shown in the units that people use, with two digits if one would be coarse', () => {
  const { bytes } = formattersFor('en-GB')
  const sizes = [0, 1, 999, 1000, 9949, 9950, 999_499, 999_500, 1_000_000_000, 1e16]
  const seen = sizes.map(size => bytes(size).replace('\u00a0', ' '))
  assert.deepEqual(seen, '0 bytes|1 byte|999 bytes|1.0 kB|9.9 kB|10 kB|999 kB|1.0 MB|1.0 GB|10,000 TB'.split('|'))
})

test('numbers, sizes and days are written as in the language and its region', () => {
  const day = new Date('2026-03-07T23:30:00Z')
  const written = ['en-GB', 'en-US', 'de', 'de-CH', 'fr', 'ja'].map(locale => {
    const { number, bytes, day: dayOf } = formattersFor(locale)
    return [number(12_345), number(4.5, 2), bytes(512), bytes(1500), dayOf(day)].map(text =>
      text.replace(/\s/g, ' ').replace('’', "'"),
    )
  })
  assert.deepEqual(written, [
    ['12,345', '4.50', '512 bytes', '1.5 kB', '7 March 2026'],
    ['12,345', '4.50', '512 bytes', '1.5 kB', 'March 7, 2026'],
    ['12.345', '4,50', '512 Byte', '1,5 kB', '7. März 2026'],
    ["12'345", '4.50', '512 Byte', '1.5 kB', '7. März 2026'],
    ['12 345', '4,50', '512 octets', '1,5 ko', '7 mars 2026'],
    ['12,345', '4.50', '512 バイト', '1.5 KB', '2026年3月7日'],
  ])
})

test('a list has the comma of its language, and values on a page from right to left keep their direction', () => {
  const lists = ['en', 'ja', 'ar'].map(lang => formattersFor(lang).list(['ZIP', '', undefined, '72\u00a0px']))
  assert.deepEqual(lists, ['ZIP, 72\u00a0px', 'ZIP、72\u00a0px', '\u200f\u2068ZIP\u2069، \u206872\u00a0px\u2069'])
  assert.equal(formattersFor('ar').list([]), '')
  assert.equal(formattersFor('ar').bytes(18_000), '\u206818\u00a0كيلوبايت\u2069')
})

test('a time before now is in whole minutes or hours, at least one minute', () => {
  const { ago } = formattersFor('en-GB')
  const times = [-5000, 119_000, 3_599_999, 3_600_000, 7_199_999, 172_800_000].map(ago)
  assert.deepEqual(times, ['1 minute ago', '1 minute ago', '59 minutes ago', '1 hour ago', '1 hour ago', '2 days ago'])
  const seen = ['de', 'ja', 'ar'].map(lang => formattersFor(lang).ago(10_800_000))
  assert.deepEqual(seen, ['vor 3 Stunden', '3 時間前', 'قبل 3 ساعات'])
  assert.deepEqual([-120_000, -10_800_000, -345_600_000].map(formattersFor('de').ago), [
    'in 2 Minuten',
    'in 3 Stunden',
    'in 4 Tagen',
  ])
})
