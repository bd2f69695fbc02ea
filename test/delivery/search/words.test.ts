import assert from 'node:assert/strict'
import test from 'node:test'
import { ENGLISH_ENDINGS } from '#delivery/search/question-words.ts'
import { beginningOf, isFormOf, isTypoOf, nameTerm, spellingsOf, wordsOf } from '#delivery/search/words.ts'

const terms = (text: string): string[] => wordsOf(text).map(({ term }) => term)

test('words of every script are found without case, accents and punctuation', () => {
  const cases: [string, string[]][] = [
    ['Café, CAFE\u0301!', ['cafe', 'cafe']],
    ['acme-logo.svg #1D70B8', ['acme', 'logo', 'svg', '1d70b8']],
    ['Größe Øre ﬁne Ｌｏｇｏ', ['grosse', 'ore', 'fine', 'logo']],
    ['品牌颜色', ['品牌', '牌颜', '颜色', '色']],
    ['RAL色5015', ['ral', '色', '5015']],
    ['한국어 हिन्दी', ['한국어', 'हिन्दी']],
    // Vowel marks, tatweel, forms of alef, yeh, kaf and teh marbuta.
    ['تُكتَبُ الهُوِيَّةُ مـــرحبًا', terms('تكتب الهويه مرحبا')],
    ['أزرق إلى آخر ٱلشعار على', terms('ازرق الي اخر الشعار علي')],
    ['کتاب آبی', terms('كتاب ابي')],
    ['הַלּוֹגוֹ צָרִיךְ מָקוֹם', ['הלוגו', 'צריך', 'מקום']],
    ['замо́к Ёлка ΛΌΓΟΣ λόγος', ['замок', 'елка', 'λογοσ', 'λογοσ']],
    ['١٢٣ ۴۵ １２ १२ ๑๒๓', ['123', '45', '12', '12', '123']],
    ['தமிழ் বাংলা ガ', ['தமிழ்', 'বাংলা', 'ガ']],
    ['ﾛｺﾞ か\u3099き', terms('ロゴ がき')],
    // Invisible characters, and the parts of a Persian word with a zero-width non-joiner.
    ['Wort\u00adart zero\u200bwidth \ufefffirst a\u2060b', ['wortart', 'zerowidth', 'first', 'ab']],
    ['رنگ\u200cهای', terms('رنگهاي رنگ هاي')],
    ['e\u0301'.repeat(60), ['e'.repeat(40)]],
    ['__proto__ \ud800 \0', ['proto']],
    ['x'.repeat(100), ['x'.repeat(40)]],
    ['', []],
  ]
  for (const [text, wanted] of cases) assert.deepEqual(terms(text), wanted, text)
})

test('each word has its position in the text as written', () => {
  const text = 'Größe 品牌色 🙂 𠮷野家 \u00adSil\u00adbe\u00ad مـرحبًا'
  assert.deepEqual(
    wordsOf(text).map(({ start, end }) => text.slice(start, end)),
    ['Größe', '品牌', '牌色', '色', '𠮷野', '野家', '家', 'Sil\u00adbe', 'مـرحبًا'],
  )
})

test('a typo is one wrong, missing or extra letter, or two swapped ones', () => {
  const near = [
    'vermilion',
    'ermilion',
    'bermilion',
    'evrmilion',
    'vermillion',
    'vermlion',
    'vermolion',
    'vremilion',
    'vermilino',
    'vermilio',
  ]
  for (const word of near) assert.ok(isTypoOf(word, 'vermilion', false), word)
  for (const word of ['rmilion', 'bermilian', 'vrmlion', 'vermilions2'])
    assert.ok(!isTypoOf(word, 'vermilion', false), word)
})

test('an unfinished word may have a typo of the beginning of another', () => {
  for (const word of ['vermill', 'vremi', 'veril']) assert.ok(isTypoOf(word, 'vermilion', true), word)
  assert.ok(!isTypoOf('verlimo', 'vermilion', true))
})

test('a whole name is one term, with any characters between its words', () => {
  assert.equal(nameTerm('acme-Logo.svg'), ' acme logo svg')
  assert.equal(nameTerm(' Größe (品牌色) '), ' grosse 品牌色')
  assert.equal(nameTerm('…'), '')
})

test('a query with zero-width non-joiners is also tried joined and with spaces', () => {
  assert.deepEqual(spellingsOf('نمی\u200cشوند'), ['نمیشوند', 'نمی شوند'])
  assert.deepEqual(spellingsOf('logo'), ['logo'])
})

for (const [word, other, isForm] of [
  ['sizes', 'size', true],
  ['smallest', 'small', true],
  ['printed', 'printer', true],
  ['writing', 'write', true],
  ['cropped', 'crop', true],
  ['companies', 'company', true],
  ['logo', 'logo', true],
  ['logo', 'logotype', false],
  ['ink', 'in', false],
  ['paper', 'page', false],
  ['mark', 'market', false],
  ['red', 'reed', false],
] as const) {
  test(`“${word}” and “${other}” are ${isForm ? '' : 'not '}forms of one word`, () => {
    assert.equal(isFormOf(word, other, ENGLISH_ENDINGS), isForm)
    assert.equal(isFormOf(other, word, ENGLISH_ENDINGS), isForm)
    if (isForm) assert.ok(other.startsWith(beginningOf(word)), 'the forms of a word share its beginning')
  })
}
