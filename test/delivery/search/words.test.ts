import assert from 'node:assert/strict'
import test from 'node:test'
import { wordsOf } from '#delivery/search/words.ts'

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
  const seen = wordsOf(text).map(({ start, end }) => text.slice(start, end))
  assert.deepEqual(seen, ['Größe', '品牌', '牌色', '色', '𠮷野', '野家', '家', 'Sil\u00adbe', 'مـرحبًا'])
})
