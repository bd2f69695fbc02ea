import assert from 'node:assert/strict'
import test from 'node:test'
import { isTypoOf, wordsOf } from '../../src/search/words.ts'

const terms = (text: string): string[] => wordsOf(text).map(({ term }) => term)

test('words of every script are found without case, accents and punctuation', () => {
  const cases: [string, string[]][] = [
    ['Café, CAFE\u0301!', ['cafe', 'cafe']],
    ['acme-logo.svg #1D70B8', ['acme', 'logo', 'svg', '1d70b8']],
    ['Größe Øre ﬁne Ｌｏｇｏ', ['grosse', 'ore', 'fine', 'logo']],
    ['品牌颜色', ['品牌', '牌颜', '颜色', '色']],
    ['RAL色5015', ['ral', '色', '5015']],
    ['한국어 हिन्दी', ['한국어', 'हिन्दी']],
    ['__proto__ \ud800 \0', ['proto']],
    ['x'.repeat(100), ['x'.repeat(40)]],
    ['', []],
  ]
  for (const [text, wanted] of cases) assert.deepEqual(terms(text), wanted, text)
})

test('each word has its position in the text as written', () => {
  const text = 'Größe 品牌色 🙂 𠮷野家'
  assert.deepEqual(
    wordsOf(text).map(({ start, end }) => text.slice(start, end)),
    ['Größe', '品牌', '牌色', '色', '𠮷野', '野家', '家'],
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
