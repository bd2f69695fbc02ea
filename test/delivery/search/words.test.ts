import assert from 'node:assert/strict'
import test from 'node:test'
import { wordsOf } from '#delivery/search/words.ts'
import { golden } from '../../support/golden.ts'

golden('search/words', ({ text }: { text: string }) => wordsOf(text).map(({ term }) => term))

test('each word has its position in the text as written', () => {
  const text = 'Größe 品牌色 🙂 𠮷野家 \u00adSil\u00adbe\u00ad مـرحبًا'
  const seen = wordsOf(text).map(({ start, end }) => text.slice(start, end))
  assert.deepEqual(seen, ['Größe', '品牌', '牌色', '色', '𠮷野', '野家', '家', 'Sil\u00adbe', 'مـرحبًا'])
})
