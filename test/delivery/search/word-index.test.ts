import assert from 'node:assert/strict'
import test from 'node:test'
import { isPageId } from '#brand/ids.ts'
import { collectIndex } from '#delivery/search/index-builder.ts'
import { receiveIndex } from '#delivery/search/search-index.ts'
import type { WordIndex } from '#delivery/search/word-index.ts'

const id = 'zz'

function indexOf(texts: readonly string[]): WordIndex {
  assert.ok(isPageId(id))
  const receive = receiveIndex()
  const builder = collectIndex(block => receive(structuredClone(block)), 1 << 30)
  builder.add({ kind: 'pages', pages: texts.map(text => ({ id, name: '', text })) })
  const index = Iterator.from(builder.finish())
    .map(answer => receive(structuredClone(answer)))
    .find(Boolean)
  assert.ok(index)
  return index.words
}

/** The matching entries, best first. */
async function found(texts: readonly string[], query: string): Promise<string[]> {
  const { scores } = indexOf(texts).find(query)
  return texts
    .map((text, at) => ({ text, score: scores[at] ?? 0 }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ text }) => text)
}

test('a search finds entries with all words, or else entries with some', async () => {
  const texts = ['clear space', 'clear water', 'deep space']
  assert.deepEqual(await found(texts, 'space clear'), ['clear space'])
  assert.deepEqual(await found(texts, 'clear nothing'), ['clear space', 'clear water'])
  assert.deepEqual(await found(texts, 'nothing'), [])
})

test('only the last word may be a prefix, which counts less than a whole word', async () => {
  const texts = ['logotype', 'logo', 'colour']
  assert.deepEqual(await found(texts, 'logo'), ['logo', 'logotype'])
  assert.deepEqual(await found(texts, 'lo'), ['logo', 'logotype'])
  assert.deepEqual(await found(texts, 'l'), [])
  assert.deepEqual(await found(['red logotype'], 'lo red'), ['red logotype'])
  assert.deepEqual(await found(['a logotype', 'a red'], 'logot red'), ['a red'])
})

test('an unknown word of four letters or more matches with one typo, also in its first letter', async () => {
  for (const query of ['logp', 'lgoo', 'olgo', 'logoo', 'xlogo', 'kogo', 'llogo', 'loogo'])
    assert.deepEqual(await found(['logo', 'ink'], query), ['logo'], query)
  assert.deepEqual(await found(['logotype', 'lego', 'logo'], 'logp'), ['logo', 'logotype'])
  assert.deepEqual(await found(['logo', 'lego'], 'lego'), ['lego'])
  assert.deepEqual(await found(['2025'], '2026'), [])
  assert.deepEqual(await found(['vermilion', 'ink'], 'vermillion'), ['vermilion'])
  assert.deepEqual(await found(['vermilion', 'vermillion'], 'vermillion'), ['vermillion'])
  assert.deepEqual(await found(['ink'], 'inc'), [])
})

test('one letter, or any part, finds a word of a script without spaces', async () => {
  for (const query of ['色', '颜色', '牌颜', '品牌颜色', '品'])
    assert.deepEqual((await found(['品牌颜色', '品质'], query)).includes('品牌颜色'), true)
  assert.deepEqual(await found(['品牌颜色', '品质'], '颜色'), ['品牌颜色'])
})

test('any query works, and at most eight of its words count', async () => {
  const texts = ['constructor hasOwnProperty toString valueOf', 'a b c d e f g h']
  for (const query of ['__proto__', '\0', '\ud800', '(a+)+$', '*', '!!!', '', 'x'.repeat(200)])
    await found(texts, query)
  assert.deepEqual(await found(texts, 'constructor'), [texts[0]])
  assert.deepEqual(await found(texts, 'a b c d e f g h i j k'), [texts[1]])
  assert.deepEqual(await found(texts, '__proto__'), [])
})

test('a search reads a limited number of terms', () => {
  const letters = (at: number) => [at / 676, at / 26, at].map(each => String.fromCharCode(97 + (each % 26))).join('')
  const terms = Array.from({ length: 60_000 }, (_, at) => `a${letters(at)}${Math.floor(at / 17_576)}zzzz`)
  const index = indexOf(terms.flatMap((_, at) => (at % 200 === 0 ? terms.slice(at, at + 200).join(' ') : [])))
  const typos = Array.from({ length: 8 }, (_, at) => `a9${at}999999`)
  for (const [query, most] of [
    [typos[0] ?? '', 50_000],
    [typos.join(' '), 50_000],
    ['aaaa', 200],
    [terms.slice(0, 8).join(' '), 40],
  ] as const) {
    const { termsRead } = index.find(query)
    assert.ok(termsRead <= most, `${query}: ${termsRead}`)
  }
})
