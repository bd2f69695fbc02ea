import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { type Cache, openCache } from '../../src/caches/cache.ts'
import { CACHES, type CacheName, keyWithin, openCaches } from '../../src/caches/caches.ts'

type Value = { name: string }

/** What a cache is to hold: what was used longest ago first. */
type Expected = Map<string, { value: Value; bytes: number }>

const KEYS = ['acme/1', 'acme/2', 'acme/3', 'acme/4']

/** What an entry of no bytes takes, by its key. */
const EMPTY = new Map(KEYS.map(key => [key, bytesWith(key, 0)]))

function bytesWith(key: string, bytes: number): number {
  const cache = openCache<Value>(1)
  cache.set(key, { name: key }, bytes)
  return cache.usage().bytes
}

function bytesOf(expected: Expected): number {
  return expected.entries().reduce((sum, [key, { bytes }]) => sum + (EMPTY.get(key) ?? 0) + bytes, 0)
}

function keep(expected: Expected, most: number, key: string, value: Value, bytes: number): void {
  expected.delete(key)
  expected.set(key, { value, bytes })
  for (const oldest of expected.keys()) if (expected.size > 1 && bytesOf(expected) > most) expected.delete(oldest)
}

type Change = { key: string; bytes: number; apply: Apply }
type Apply = (cache: Cache<Value>, expected: Expected, most: number, key: string, bytes: number) => unknown

/** Every kind of change, to a cache and to what it is to hold. */
const KINDS: Readonly<Record<string, Apply>> = {
  get: (cache, expected, most, key) => {
    const known = expected.get(key)
    assert.equal(cache.get(key), known?.value)
    if (known) keep(expected, most, key, known.value, known.bytes)
  },
  set: (cache, expected, most, key, bytes) => {
    const value = { name: key }
    cache.set(key, value, bytes)
    keep(expected, most, key, value, bytes)
  },
  'set the same value with another size': (cache, expected, most, key, bytes) => {
    const value = expected.get(key)?.value ?? { name: key }
    cache.set(key, value, bytes)
    keep(expected, most, key, value, bytes)
  },
  grow: (cache, expected, most, key, bytes) => {
    const known = expected.get(key)
    cache.grow(key, known?.value ?? { name: key }, bytes)
    if (known) keep(expected, most, key, known.value, known.bytes + bytes)
  },
  'grow what was replaced': (cache, _, __, key, bytes) => cache.grow(key, { name: key }, bytes),
  make: async (cache, expected, most, key, bytes) => {
    const value = { name: key }
    assert.equal(await cache.make(key, async () => ({ value, bytes })), value)
    keep(expected, most, key, value, bytes)
  },
  'make nothing': async (cache, _, __, key) => assert.equal(await cache.make(key, async () => undefined), undefined),
  'fail to make': (cache, _, __, key) =>
    assert.rejects(cache.make(key, () => Promise.reject(new Error('cannot be made')))),
  drop: (cache, expected, _, key) => {
    cache.drop(each => each === key)
    expected.delete(key)
  },
}

const NAMES = Object.keys(CACHES).filter((name): name is CacheName => Object.hasOwn(CACHES, name))

const change: fc.Arbitrary<Change> = fc.record({
  key: fc.constantFrom(...KEYS),
  bytes: fc.integer({ min: 0, max: 3000 }),
  apply: fc.constantFrom(...Object.values(KINDS)),
})

for (const name of NAMES)
  test(`the cache ${name} counts what it holds after every kind of change, and holds no more than its bound`, () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(change, { maxLength: 30 }),
        fc.integer({ min: 1, max: 8000 }),
        async (changes, most) => {
          const caches = openCaches({ [name]: most })
          const cache = caches.open<Value>(name)
          const expected: Expected = new Map()
          for (const { apply, key, bytes } of changes) {
            await apply(cache, expected, most, key, bytes)
            const usage = { cache: name, bytes: bytesOf(expected), entries: expected.size }
            const [{ hits, misses, ...now } = { hits: 0, misses: 0 }] = caches.usage()
            assert.deepEqual(now, usage)
            assert.ok(usage.bytes <= most || usage.entries === 1)
          }
        },
      ),
    ))

test('what is asked for while it is made is made once', async () => {
  const cache = openCache<Value>(1000)
  const made = Promise.withResolvers<{ value: Value; bytes: number }>()
  const first = cache.make('acme/1', () => made.promise)
  const second = cache.make('acme/1', () => assert.fail('it is made a second time'))
  made.resolve({ value: { name: 'one' }, bytes: 1 })
  assert.equal(await first, await second)
  assert.equal(cache.get('acme/1'), await first)
})

test('what is gone before it is made is given to those who wait, and not kept', async () => {
  const cache = openCache<Value>(1000)
  const made = Promise.withResolvers<{ value: Value; bytes: number }>()
  const first = cache.make('acme/1', () => made.promise)
  cache.drop(() => true)
  const second = cache.make('acme/1', async () => ({ value: { name: 'two' }, bytes: 1 }))
  made.resolve({ value: { name: 'one' }, bytes: 1 })
  assert.deepEqual([(await first)?.name, (await second)?.name, cache.get('acme/1')?.name], ['one', 'two', 'two'])
})

test('content of a workspace goes when nothing of what it was made of is served, and nothing else does', () => {
  const caches = openCaches()
  const [pages, tokens] = [caches.open<Value>('pages'), caches.open<Value>('tokens')]
  const served = ['acme@3', 'acme/guide@2', 'acme-2/guide@1', 'acm/guide@1', 'other/guide@1', '/assets/page.css']
  const replaced = ['acme@2', 'acme/guide@1', 'acme/gone@1', 'acme/guide@22']
  for (const madeOf of [...served, ...replaced])
    for (const cache of [pages, tokens]) {
      cache.set(madeOf, { name: madeOf }, 1)
      cache.set(keyWithin(madeOf, 'a/b\nc'), { name: madeOf }, 1)
    }
  caches.keepContent('acme', new Set(['acme@3', 'acme/guide@2']))
  for (const madeOf of served) for (const key of [madeOf, keyWithin(madeOf, 'a/b\nc')]) assert.ok(pages.get(key), key)
  for (const madeOf of replaced)
    for (const key of [madeOf, keyWithin(madeOf, 'a/b\nc')]) assert.equal(pages.get(key), undefined)
  assert.equal(pages.usage().entries, 2 * served.length)
  assert.equal(tokens.usage().entries, 2 * (served.length + replaced.length))
})

test('no cache is opened twice', () => {
  const caches = openCaches()
  caches.open('pages')
  assert.throws(() => caches.open('pages'), /^Error: the cache pages is open already$/)
})

test('a cache counts how often it had what it was asked for', () => {
  const cache = openCache<Value>(1000)
  cache.get('acme/1')
  cache.set('acme/1', { name: 'one' }, 1)
  cache.get('acme/1')
  cache.get('acme/1')
  const { hits, misses } = cache.usage()
  assert.deepEqual({ hits, misses }, { hits: 2, misses: 1 })
})
