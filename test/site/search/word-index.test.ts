import assert from 'node:assert/strict'
import test from 'node:test'
import { isPageId } from '../../../src/brand/ids.ts'
import { collectIndex } from '../../../src/site/search/index-builder.ts'
import { viewsOf } from '../../../src/site/search/packed-index.ts'
import { wordIndex } from '../../../src/site/search/word-index.ts'

const id = 'zz'

/** The entries that are found, the best first. */
function found(texts: readonly string[], query: string): string[] {
  assert.ok(isPageId(id))
  const builder = collectIndex()
  builder.add({ pages: texts.map(text => ({ id, name: '', text })) })
  const { counts, bytes } = builder.packed()
  const { scores } = wordIndex(texts.length, viewsOf(bytes.buffer, counts)).find(query)
  return texts
    .map((text, at) => ({ text, score: scores[at] ?? 0 }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ text }) => text)
}

test('an entry is found that has all words, or where none has, those that have some', () => {
  const texts = ['clear space', 'clear water', 'deep space']
  assert.deepEqual(found(texts, 'space clear'), ['clear space'])
  assert.deepEqual(found(texts, 'clear nothing'), ['clear space', 'clear water'])
  assert.deepEqual(found(texts, 'nothing'), [])
})

test('the last word may be a beginning, which counts less than the whole word; the others are whole', () => {
  const texts = ['logotype', 'logo', 'colour']
  assert.deepEqual(found(texts, 'logo'), ['logo', 'logotype'])
  assert.deepEqual(found(texts, 'lo'), ['logo', 'logotype'])
  assert.deepEqual(found(texts, 'l'), [])
  assert.deepEqual(found(['red logotype'], 'lo red'), ['red logotype'])
  assert.deepEqual(found(['a logotype', 'a red'], 'logot red'), ['a red'])
})

test('a word that is nowhere is found with one slip, a short one is not', () => {
  assert.deepEqual(found(['vermilion', 'ink'], 'vermillion'), ['vermilion'])
  assert.deepEqual(found(['vermilion', 'vermillion'], 'vermillion'), ['vermillion'])
  assert.deepEqual(found(['ink'], 'inc'), [])
})

test('one letter finds a word of a script without spaces, and any part of one does', () => {
  for (const query of ['色', '颜色', '牌颜', '品牌颜色', '品'])
    assert.deepEqual(found(['品牌颜色', '品质'], query).includes('品牌颜色'), true)
  assert.deepEqual(found(['品牌颜色', '品质'], '颜色'), ['品牌颜色'])
})

test('no query is trouble, and at most eight words of it count', () => {
  const texts = ['constructor hasOwnProperty toString valueOf', 'a b c d e f g h']
  for (const query of ['__proto__', '\0', '\ud800', '(a+)+$', '*', '!!!', '', 'x'.repeat(200)]) found(texts, query)
  assert.deepEqual(found(texts, 'constructor'), [texts[0]])
  assert.deepEqual(found(texts, 'a b c d e f g h i j k'), [texts[1]])
  assert.deepEqual(found(texts, '__proto__'), [])
})
