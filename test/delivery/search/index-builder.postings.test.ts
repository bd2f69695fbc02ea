import assert from 'node:assert/strict'
import test from 'node:test'
import { BLOCK_NUMBERS } from '#delivery/search/blocks.ts'
import { collectPostings } from '#delivery/search/index-builder.ts'
import type { Field } from '#delivery/search/index-entries.ts'

const field = (text: string): Field => ({ text, weight: 1, typicalWords: 10 })

/** The entries of each term, with its weight. */
function postingsOf(entries: readonly (readonly Field[])[]): Map<string, { entry: number; weight: number }[]> {
  const postings = collectPostings()
  for (const fields of entries) postings.add(fields)
  const { terms, ends, windows } = postings.sorted()
  const numbers = [...windows()].flatMap(window => [...window])
  return new Map(
    terms.map((term, at) => {
      const items = numbers.slice(at === 0 ? 0 : ends[at - 1], ends[at])
      return [term, items.map(item => ({ entry: item >>> 8, weight: item & 255 }))]
    }),
  )
}

test('terms are in order, and so are the entries of each term', () => {
  const postings = postingsOf([[field('red ink')], [], [field('Ink'), field('blue')], [field('ink')]])
  assert.deepEqual([...postings.keys()], ['blue', 'ink', 'red'])
  assert.deepEqual(
    postings.get('ink')?.map(({ entry }) => entry),
    [0, 2, 3],
  )
})

test('a word counts more in a field with more weight, if repeated, and in a shorter text', () => {
  const texts = [
    field('ink'),
    { text: 'ink', weight: 3, typicalWords: 10 },
    field('ink ink'),
    field('ink on white paper'),
  ]
  const [once = 0, heavy = 0, twice = 0, long = 0] =
    postingsOf(texts.map(text => [text]))
      .get('ink')
      ?.map(({ weight }) => weight) ?? []
  assert.ok(heavy > once && twice > once && once > long && long > 0, `${heavy} ${twice} ${once} ${long}`)
})

test('a word in two fields of an entry is one posting with the weight of both', () => {
  const [one, both] = postingsOf([[field('ink')], [field('ink'), field('ink')]]).get('ink') ?? []
  assert.deepEqual([one?.entry, both?.entry], [0, 1])
  assert.ok((both?.weight ?? 0) > (one?.weight ?? 0))
})

test('a weight is at most 255', () => {
  assert.deepEqual(postingsOf([[{ text: 'ink', weight: 1000, typicalWords: 10 }]]).get('ink'), [
    { entry: 0, weight: 255 },
  ])
})

test('many postings come in windows of whole blocks without a loss', () => {
  const postings = collectPostings()
  const words = Array.from({ length: 100 }, (_, at) => `w${at}`)
  const entries = 10_600
  for (let at = 0; at < entries; at++) postings.add([field(words.join(' '))])
  const { terms, ends, windows } = postings.sorted()
  assert.deepEqual(terms, words.toSorted())
  assert.deepEqual(
    [...ends],
    words.map((_, at) => (at + 1) * entries),
  )
  let [count, sizes]: [number, number[]] = [0, []]
  for (const window of windows()) {
    sizes.push(window.length)
    for (const item of window) assert.equal(item >>> 8, count++ % entries)
  }
  assert.equal(count, words.length * entries)
  assert.ok(sizes.length > 1 && sizes.slice(0, -1).every(size => size % BLOCK_NUMBERS === 0), `${sizes}`)
})

test('an empty collection has no terms and no windows', () => {
  const { terms, ends, windows } = collectPostings().sorted()
  assert.deepEqual([terms, [...ends], [...windows()]], [[], [], []])
})
