import assert from 'node:assert/strict'
import test from 'node:test'
import { isPageId } from '../../src/brand/ids.ts'
import { collectIndex } from '../../src/search/index-builder.ts'
import { receiveIndex } from '../../src/search/search-index.ts'
import type { WordIndex } from '../../src/search/word-index.ts'

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

/** The entries that are found, the best first. */
async function found(texts: readonly string[], query: string): Promise<string[]> {
  const { scores } = await indexOf(texts).find(query)
  return texts
    .map((text, at) => ({ text, score: scores[at] ?? 0 }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ text }) => text)
}

test('an entry is found that has all words, or where none has, those that have some', async () => {
  const texts = ['clear space', 'clear water', 'deep space']
  assert.deepEqual(await found(texts, 'space clear'), ['clear space'])
  assert.deepEqual(await found(texts, 'clear nothing'), ['clear space', 'clear water'])
  assert.deepEqual(await found(texts, 'nothing'), [])
})

test('the last word may be a beginning, which counts less than the whole word; the others are whole', async () => {
  const texts = ['logotype', 'logo', 'colour']
  assert.deepEqual(await found(texts, 'logo'), ['logo', 'logotype'])
  assert.deepEqual(await found(texts, 'lo'), ['logo', 'logotype'])
  assert.deepEqual(await found(texts, 'l'), [])
  assert.deepEqual(await found(['red logotype'], 'lo red'), ['red logotype'])
  assert.deepEqual(await found(['a logotype', 'a red'], 'logot red'), ['a red'])
})

test('a word that is nowhere is found with one slip, a short one is not', async () => {
  assert.deepEqual(await found(['vermilion', 'ink'], 'vermillion'), ['vermilion'])
  assert.deepEqual(await found(['vermilion', 'vermillion'], 'vermillion'), ['vermillion'])
  assert.deepEqual(await found(['ink'], 'inc'), [])
})

test('one letter finds a word of a script without spaces, and any part of one does', async () => {
  for (const query of ['色', '颜色', '牌颜', '品牌颜色', '品'])
    assert.deepEqual((await found(['品牌颜色', '品质'], query)).includes('品牌颜色'), true)
  assert.deepEqual(await found(['品牌颜色', '品质'], '颜色'), ['品牌颜色'])
})

test('no query is trouble, and at most eight words of it count', async () => {
  const texts = ['constructor hasOwnProperty toString valueOf', 'a b c d e f g h']
  for (const query of ['__proto__', '\0', '\ud800', '(a+)+$', '*', '!!!', '', 'x'.repeat(200)])
    await found(texts, query)
  assert.deepEqual(await found(texts, 'constructor'), [texts[0]])
  assert.deepEqual(await found(texts, 'a b c d e f g h i j k'), [texts[1]])
  assert.deepEqual(await found(texts, '__proto__'), [])
})

test('a search looks at so many terms and no more, whatever is asked, and others have their turns between its words', async () => {
  const letters = (at: number) => [at / 676, at / 26, at].map(each => String.fromCharCode(97 + (each % 26))).join('')
  const terms = Array.from({ length: 60_000 }, (_, at) => `a${letters(at)}${Math.floor(at / 17_576)}zzzz`)
  const index = indexOf(terms.flatMap((_, at) => (at % 200 === 0 ? terms.slice(at, at + 200).join(' ') : [])))
  const slips = Array.from({ length: 8 }, (_, at) => `a9${at}999999`)
  for (const [query, most] of [
    [slips[0] ?? '', 50_000],
    [slips.join(' '), 50_000],
    ['aaaa', 100],
    [terms.slice(0, 8).join(' '), 20],
  ] as const) {
    let [isDone, turns] = [false, 0]
    const finding = index.find(query).finally(() => (isDone = true))
    while (!isDone) {
      await new Promise(resolve => setImmediate(resolve))
      turns++
    }
    const { lookedAt } = await finding
    assert.ok(lookedAt <= most, `${query}: ${lookedAt}`)
    assert.ok(turns >= query.split(' ').length, `${query}: ${turns}`)
  }
})
