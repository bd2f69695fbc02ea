import assert from 'node:assert/strict'
import test from 'node:test'
import type { Cache } from '#platform/caches/cache.ts'
import { CACHES, type CacheName, contentEntryKey, openCaches } from '#platform/caches/caches.ts'
import { fc } from '../../support/random.ts'

type Value = { name: string }

/** The expected content of all caches, the least recently used first. */
type Entry = { cache: CacheName; key: string; value: Value; bytes: number }

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

/** Caches whose entries are used one after the other, and their expected content. */
function modelOf(maxBytes: number) {
  const keptFor = (name: CacheName) => (maxBytes * CACHES[name].kept) / 64
  const forOthers = (name: CacheName) => NAMES.reduce((sum, each) => sum + (each === name ? 0 : keptFor(each)), 0)
  let entries: Entry[] = []
  const bytesOf = (of: readonly Entry[]) => of.reduce((sum, { key, bytes }) => sum + (EMPTY.get(key) ?? 0) + bytes, 0)
  const inCache = (name: CacheName) => entries.filter(({ cache }) => cache === name)
  const find = (cache: CacheName, key: string) => entries.find(each => each.cache === cache && each.key === key)
  const remove = (cache: CacheName, key: string) => {
    entries = entries.filter(each => each.cache !== cache || each.key !== key)
  }
  const use = (entry: Entry) => {
    remove(entry.cache, entry.key)
    if (bytesOf([entry]) > maxBytes - forOthers(entry.cache)) return
    entries.push(entry)
    while (bytesOf(entries) > maxBytes) {
      const gone = entries.find(({ cache }) => bytesOf(inCache(cache)) > keptFor(cache))
      entries = entries.filter(each => each !== gone)
    }
  }
  return {
    find,
    remove,
    use,
    bytes: () => bytesOf(entries),
    inCache,
    bytesIn: (name: CacheName) => bytesOf(inCache(name)),
  }
}

type Model = ReturnType<typeof modelOf>
type Change = { name: CacheName; key: string; bytes: number; apply: Apply }
type Apply = (cache: Cache<Value>, model: Model, change: Change) => unknown

/** Every kind of operation on a cache and on its expected content. */
const KINDS: Readonly<Record<string, Apply>> = {
  get: (cache, model, { name, key }) => {
    const known = model.find(name, key)
    assert.equal(cache.get(key), known?.value)
    if (known) model.use(known)
  },
  peek: (cache, model, { name, key }) => assert.equal(cache.peek(key), model.find(name, key)?.value),
  set: (cache, model, { name, key, bytes }) => {
    const value = { name: key }
    cache.set(key, value, bytes)
    model.use({ cache: name, key, value, bytes })
  },
  'set the same value with another size': (cache, model, { name, key, bytes }) => {
    const value = model.find(name, key)?.value ?? { name: key }
    cache.set(key, value, bytes)
    model.use({ cache: name, key, value, bytes })
  },
  grow: (cache, model, { name, key, bytes }) => {
    const known = model.find(name, key)
    cache.grow(key, known?.value ?? { name: key }, bytes)
    if (known) model.use({ ...known, bytes: known.bytes + bytes })
  },
  'grow a replaced value': (cache, _, { key, bytes }) => cache.grow(key, { name: key }, bytes),
  make: async (cache, model, { name, key, bytes }) => {
    const value = { name: key }
    assert.equal(await cache.make(key, async () => ({ value, bytes })), value)
    model.use({ cache: name, key, value, bytes })
  },
  'make nothing': async (cache, _, { key }) => assert.equal(await cache.make(key, async () => undefined), undefined),
  'fail to make': (cache, _, { key }) =>
    assert.rejects(cache.make(key, () => Promise.reject(new Error('cannot be made')))),
  drop: (cache, model, { name, key }) => {
    cache.drop(each => each === key)
    model.remove(name, key)
  },
}

const change: fc.Arbitrary<Change> = fc.record({
  name: fc.constantFrom(...NAMES),
  key: fc.constantFrom(...KEYS),
  bytes: fc.integer({ min: 0, max: 3000 }),
  apply: fc.constantFrom(...Object.values(KINDS)),
})

test('after every kind of operation, the caches hold the most recently used entries within their shared limit', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(change, { maxLength: 60 }),
      fc.integer({ min: 1, max: 20_000 }),
      async (changes, maxBytes) => {
        const caches = openCaches(maxBytes)
        const opened = new Map(NAMES.map(name => [name, caches.open<Value>(name)]))
        const model = modelOf(maxBytes)
        for (const change of changes) {
          await change.apply(opened.get(change.name) ?? assert.fail(), model, change)
          assert.deepEqual(caches.total(), { bytes: model.bytes(), maxBytes })
          assert.ok(caches.total().bytes <= maxBytes)
          for (const { cache, bytes, entries } of caches.usage())
            assert.deepEqual([bytes, entries], [model.bytesIn(cache), model.inCache(cache).length], cache)
        }
      },
    ),
  ))

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
