import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { contentChanges } from '../../src/brand/content-changes.ts'
import type { Content } from '../../src/brand/draft.ts'
import { freeze } from '../../src/brand/snapshot.ts'
import { contents, shuffledKeys, single } from './contents.ts'

describe('freezing', () => {
  it('gives equal content equal bytes, in whatever order its keys stand', () => {
    fc.assert(
      fc.property(contents, fc.infiniteStream(fc.nat()), (content, numbers) => {
        const again: Content = shuffledKeys(content, numbers)
        assert.deepEqual(again, content)
        assert.deepEqual(freeze(again), freeze(content))
      }),
    )
  })

  it('gives any single change another hash', () => {
    fc.assert(
      fc.property(contents, fc.nat(), (content, at) => {
        const hashes = single(content, at).map(changed => freeze(changed).snapshot)
        for (const hash of hashes) assert.notEqual(hash, freeze(content).snapshot)
        assert.equal(new Set(hashes).size, hashes.length)
      }),
    )
  })

  it('makes one new chunk and one new root for a change of one entry among thousands', () => {
    const [page] = fc.sample(contents, { seed: 1, numRuns: 50 }).flatMap(({ pages }) => pages)
    assert.ok(page)
    const pages = Array.from({ length: 3000 }, (_, at) => ({ ...page, name: `Page ${at}`, id: page.id }))
    const content: Content = { name: 'x', pages, colors: [], types: [], files: [] }
    const changed = { ...content, pages: pages.with(1500, { ...page, name: 'Changed' }) }
    const known = new Set(freeze(content).objects.map(({ hash }) => hash))
    assert.equal(freeze(changed).objects.filter(({ hash }) => !known.has(hash)).length, 2)
  })
})

describe('the changes between two contents', () => {
  it('are what comparing them entry by entry finds', () => {
    fc.assert(
      fc.property(contents, contents, fc.infiniteStream(fc.nat()), (before, after, numbers) => {
        assert.deepEqual(contentChanges(shuffledKeys(before, numbers), after), naive(before, after))
      }),
    )
  })

  it('from nothing are all that there is, and to itself none', () => {
    fc.assert(
      fc.property(contents, content => {
        assert.deepEqual(
          contentChanges(undefined, content),
          naive({ ...content, pages: [], colors: [], types: [], files: [] }, content),
        )
        const none = { added: [], changed: [], removed: [] }
        assert.deepEqual(contentChanges(content, content), { pages: none, styles: none, files: none })
      }),
    )
  })
})

function naive(before: Content, after: Content) {
  const compare = (old: readonly object[], now: readonly object[], key: 'id' | 'path') => {
    const keyOf = (entry: object): string => String(Reflect.get(entry, key))
    const find = (list: readonly object[], entry: object) => list.find(each => keyOf(each) === keyOf(entry))
    return {
      added: now.filter(entry => !find(old, entry)).map(keyOf),
      changed: now.filter(entry => find(old, entry) && !isEqual(find(old, entry), entry)).map(keyOf),
      removed: old.filter(entry => !find(now, entry)).map(keyOf),
    }
  }
  const colors = compare(before.colors, after.colors, 'id')
  const types = compare(before.types, after.types, 'id')
  return {
    pages: compare(before.pages, after.pages, 'id'),
    styles: {
      added: [...colors.added, ...types.added],
      changed: [...colors.changed, ...types.changed],
      removed: [...colors.removed, ...types.removed],
    },
    files: compare(before.files, after.files, 'path'),
  }
}

function isEqual(a: unknown, b: unknown): boolean {
  try {
    assert.deepStrictEqual(a, b)
    return true
  } catch {
    return false
  }
}
