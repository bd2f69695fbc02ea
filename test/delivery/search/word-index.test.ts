import assert from 'node:assert/strict'
import test from 'node:test'
import { isHash, isPageId } from '#brand/ids.ts'
import { collectIndex } from '#delivery/search/index-builder.ts'
import type { SearchIndex } from '#delivery/search/search-index.ts'
import { receiveIndex } from '#delivery/search/search-index.ts'

const id = 'zz'
const content = '0'.repeat(64)
assert.ok(isPageId(id) && isHash(content))
const page = { id, name: '', content, links: [] }

/** The index of pages, of which each has a text and perhaps a name, as it is received from its process. */
function indexOf(texts: readonly (string | { name: string; text: string })[], maxBytes = 1 << 30): SearchIndex {
  const receive = receiveIndex()
  const builder = collectIndex(block => receive(structuredClone(block)), maxBytes)
  const pages = texts.map(each => ({ ...page, ...(typeof each === 'string' ? { text: each } : each) }))
  builder.add({ kind: 'pages', items: pages })
  const index = Iterator.from(builder.finish())
    .map(answer => receive(structuredClone(answer)))
    .find(Boolean)
  assert.ok(index)
  return index
}

/** The matching entries, best first. */
async function found(texts: readonly string[], query: string): Promise<string[]> {
  const { scores } = indexOf(texts).words.find(query)
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
    const { termsRead } = index.words.find(query)
    assert.ok(termsRead <= most, `${query}: ${termsRead}`)
  }
})

test('a word counts more in a name, if repeated, and in a shorter text', () => {
  const texts = ['ink one two', 'ink ink two', `ink ${'paper '.repeat(300)}`].map(text => ({ name: '', text }))
  const { scores } = indexOf([...texts, { name: 'ink three', text: 'paper' }]).words.find('ink')
  const [once = 0, twice = 0, long = 0, named = 0] = scores
  assert.ok(long > 0 && once > long && twice > once && named > twice, `${scores}`)
})

test('an index of any size finds each entry with a word, and returns its text in any script', () => {
  const words = Array.from({ length: 40 }, (_, at) => `common${at}`).join(' ')
  const texts = Array.from({ length: 2000 }, (_, at) => `品牌 🎨 ${at} ${words} w${at % 2}`)
  const index = indexOf(texts)
  const found = (query: string) => [...index.words.find(query).scores].flatMap((score, at) => (score > 0 ? [at] : []))
  assert.equal(found('common39').length, texts.length)
  const expected = texts.flatMap((_, at) => (at % 2 === 1 ? [at] : []))
  assert.deepEqual(found('w1 品牌'), expected)
  const pages = texts.map(() => page)
  for (const at of [0, 1, 999, 1999]) {
    const target = index.targetOf(at, { colors: [], types: [], files: [], pages })
    assert.equal(target?.kind === 'page' && target.text, texts[at])
  }
})

test('an index near its maximum size finds further pages by their names, not by their text', () => {
  const texts = Array.from({ length: 10_000 }, (_, at) => ({
    name: `Name${at}`,
    text: at < 9999 ? `blue${at}` : 'vermilion',
  }))
  const { words } = indexOf(texts, 300_000)
  const finds = (query: string) => words.find(query).scores.some(score => score > 0)
  assert.deepEqual(['blue0', 'name9999', 'vermilion'].map(finds), [true, true, false])
})
