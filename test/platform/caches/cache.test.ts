import assert from 'node:assert/strict'
import test from 'node:test'
import type { Cache } from '#platform/caches/cache.ts'
import { CACHES, type CacheName, contentEntryKey, openCaches } from '#platform/caches/caches.ts'

type Value = { name: string }

const KEYS = ['acme/1', 'acme/2', 'acme/3', 'acme/4']
const NAMES = Object.keys(CACHES).filter((name): name is CacheName => Object.hasOwn(CACHES, name))

/** The size of an entry with this key and no value. */
const EMPTY = new Map(KEYS.map(key => [key, bytesOfEmpty(key)]))

function bytesOfEmpty(key: string): number {
  const cache = alone()
  cache.set(key, { name: key }, 0)
  return cache.usage().bytes
}

/** A cache with more space than a test needs. */
function alone(): Cache<Value> {
  return openCaches().open('pages')
}

test('caches that share a limit drop the least recently used entry first, and one that is too large is not kept', () => {
  const size = (EMPTY.get('acme/1') ?? 0) + 1000
  const caches = openCaches(2.5 * size)
  const [pages, replies] = [caches.open<Value>('pages'), caches.open<Value>('replies')]
  for (const [at, cache] of [pages, replies].entries()) cache.set(`acme/${at + 1}`, { name: '' }, 1000)
  assert.ok(pages.get('acme/1'))
  pages.set('acme/3', { name: '' }, 1000)
  assert.deepEqual([pages.peek('acme/1'), replies.peek('acme/2'), pages.peek('acme/3')].map(Boolean), [
    true,
    false,
    true,
  ])
  pages.grow('acme/3', pages.peek('acme/3') ?? assert.fail(), 600)
  assert.deepEqual([pages.peek('acme/1'), pages.peek('acme/3')].map(Boolean), [false, true])
  assert.deepEqual(caches.total(), { bytes: size + 600, maxBytes: 2.5 * size })
  pages.grow('acme/3', { name: 'another' }, 1000)
  assert.equal(caches.total().bytes, size + 600)
  pages.set('acme/3', { name: 'large' }, 3 * size)
  assert.equal(pages.get('acme/3'), undefined)
  pages.set('acme/4', { name: '' }, 1000)
  pages.drop(key => key === 'acme/4')
  assert.equal(caches.total().bytes, 0)
})

test('neither a failure to create a value nor an undefined one is kept', async () => {
  const cache = alone()
  assert.equal(await cache.make('acme/1', async () => undefined), undefined)
  await assert.rejects(
    cache.make('acme/1', () => Promise.reject(new Error('cannot be made'))),
    /cannot be made/,
  )
  assert.equal(cache.usage().entries, 0)
})

for (const name of NAMES)
  test(`use of other caches evicts nothing within the reserve of the cache ${name}`, () => {
    const maxBytes = 1 << 20
    const caches = openCaches(maxBytes)
    const cache = caches.open<Value>(name)
    const key = 'acme/1'
    const bytes = (maxBytes * CACHES[name].kept) / 64 - (EMPTY.get(key) ?? 0)
    if (bytes > 0) cache.set(key, { name: key }, bytes)
    for (const other of NAMES.filter(each => each !== name)) {
      const others = caches.open<Value>(other)
      for (let at = 0; at < 200; at++) others.set(`${at}`, { name: '' }, 10_000)
      others.set('large', { name: '' }, caches.largest(other) - 1000)
      assert.ok(others.get('large'), other)
    }
    assert.equal(cache.get(key) !== undefined, bytes > 0)
    assert.ok(caches.total().bytes <= maxBytes)
  })

test('a value is created only once for concurrent callers', async () => {
  const cache = alone()
  const made = Promise.withResolvers<{ value: Value; bytes: number }>()
  const first = cache.make('acme/1', () => made.promise)
  const second = cache.make('acme/1', () => assert.fail('the value is created a second time'))
  made.resolve({ value: { name: 'one' }, bytes: 1 })
  assert.equal(await first, await second)
  assert.equal(cache.get('acme/1'), await first)
})

test('a value that is dropped while it is created is returned to waiting callers, but not stored', async () => {
  const cache = alone()
  const made = Promise.withResolvers<{ value: Value; bytes: number }>()
  const first = cache.make('acme/1', () => made.promise)
  cache.drop(() => true)
  const second = cache.make('acme/1', async () => ({ value: { name: 'two' }, bytes: 1 }))
  made.resolve({ value: { name: 'one' }, bytes: 1 })
  assert.deepEqual([(await first)?.name, (await second)?.name, cache.get('acme/1')?.name], ['one', 'two', 'two'])
})

test('entries of a workspace are dropped when their content is no longer served, and others stay', () => {
  const caches = openCaches()
  const [pages, tokens] = [caches.open<Value>('pages'), caches.open<Value>('tokens')]
  const served = ['acme@3', 'acme/guide@2', 'acme-2/guide@1', 'acm/guide@1', 'other/guide@1', '/assets/page.css']
  const replaced = ['acme@2', 'acme/guide@1', 'acme/gone@1', 'acme/guide@22']
  for (const madeOf of [...served, ...replaced])
    for (const cache of [pages, tokens]) {
      cache.set(madeOf, { name: madeOf }, 1)
      cache.set(contentEntryKey(madeOf, 'a/b\nc'), { name: madeOf }, 1)
    }
  caches.keepContent('acme', new Set(['acme@3', 'acme/guide@2']))
  for (const madeOf of served)
    for (const key of [madeOf, contentEntryKey(madeOf, 'a/b\nc')]) assert.ok(pages.get(key), key)
  for (const madeOf of replaced)
    for (const key of [madeOf, contentEntryKey(madeOf, 'a/b\nc')]) assert.equal(pages.get(key), undefined)
  assert.equal(pages.usage().entries, 2 * served.length)
  assert.equal(tokens.usage().entries, 2 * (served.length + replaced.length))
})

test('a cache cannot be opened twice', () => {
  const caches = openCaches()
  caches.open('pages')
  assert.throws(() => caches.open('pages'), /^Error: the cache pages is open already$/)
})

test('a cache counts its hits and misses', () => {
  const cache = alone()
  cache.get('acme/1')
  cache.set('acme/1', { name: 'one' }, 1)
  cache.get('acme/1')
  cache.get('acme/1')
  const { hits, misses } = cache.usage()
  assert.deepEqual({ hits, misses }, { hits: 2, misses: 1 })
})
