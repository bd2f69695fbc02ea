import assert from 'node:assert/strict'
import test from 'node:test'
import { listPage, pageLinks, pageQuery, pageWith, requestedPage } from '../../../src/site/layout/pagination.ts'
import { wordsFor } from '../../../src/site/words/words.ts'

test('every entry of a list is on one page, whose number is known', () => {
  const list = Array.from({ length: 45 }, (_, at) => at)
  const pages = [1, 2, 3].map(number => listPage(list, number, 20))
  assert.deepEqual(
    pages.map(page => page?.entries.length),
    [20, 20, 5],
  )
  assert.deepEqual(
    pages.flatMap(page => page?.entries ?? []),
    list,
  )
  for (const at of list) assert.ok(listPage(list, pageWith(at, 20), 20)?.entries.includes(at))
  assert.equal(listPage(list, 4, 20), undefined)
})

test('an empty list has one page', () => {
  assert.deepEqual(listPage([], 1, 20), { entries: [], number: 1, count: 1 })
  assert.equal(listPage([], 2, 20), undefined)
})

const QUERIES: readonly [query: string, page: number | undefined][] = [
  ['', 1],
  ['x=1', 1],
  ['page=1', 1],
  ['page=20', 20],
  ['page=2&page=3', 2],
  ...['page=', 'page=0', 'page=02', 'page=-1', 'page=1.5', 'page=x', 'page=99999999', 'page=2%20'].map(
    (query): [string, undefined] => [query, undefined],
  ),
]

for (const [query, page] of QUERIES)
  test(`?${query} asks for ${page === undefined ? 'no page that could be' : `page ${page}`}`, () => {
    assert.equal(requestedPage(query), page)
  })

test('the first page of a list has the address of the list', () => {
  assert.deepEqual([pageQuery(1), pageQuery(2)], ['', '?page=2'])
})

test('a page of a list links to its neighbours, the first page and the last page', () => {
  const links = (number: number, count: number) =>
    Array.from(
      pageLinks(wordsFor('en'), '/l', { number, count })?.text.matchAll(/<a (?:rel="(\w+)" )?href="([^"]*)">/g) ?? [],
      found => found.slice(1),
    )
  assert.deepEqual(links(1, 1), [])
  assert.deepEqual(links(1, 2), [['next', '/l?page=2']])
  assert.deepEqual(links(2, 2), [['prev', '/l']])
  assert.deepEqual(links(5, 9), [
    ['prev', '/l?page=4'],
    ['next', '/l?page=6'],
    [undefined, '/l'],
    [undefined, '/l?page=9'],
  ])
})
