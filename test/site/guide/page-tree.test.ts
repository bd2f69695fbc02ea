import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { isPageId } from '../../../src/brand/ids.ts'
import type { Page } from '../../../src/brand/page.ts'
import { hashOf } from '../../../src/brand/snapshot.ts'
import { type Branch, inTreeOrder, pageTree, trailTo } from '../../../src/site/guide/page-tree.ts'

test('pages stand below the page whose id theirs begins with, in reading order', () => {
  assert.deepEqual(outline(pageTree(pages('index', 'logo', 'color', 'logo/misuse'))), [
    'index',
    ['logo', 'logo/misuse'],
    'color',
  ])
})

test('a folder without a page of its own is named for its folder and stands where its first page does', () => {
  const tree = pageTree(pages('brand-print/paper', 'logo', 'brand-print/ink'))
  assert.deepEqual(outline(tree), [['brand-print', 'brand-print/paper', 'brand-print/ink'], 'logo'])
  assert.deepEqual([tree[0]?.name, tree[0]?.page], ['Brand print', undefined])
})

test('a parent that comes after its pages is their parent all the same', () => {
  assert.deepEqual(outline(pageTree(pages('logo/misuse', 'logo'))), [['logo', 'logo/misuse']])
})

test('the trail to a page names each place above it', () => {
  const tree = pageTree(pages('a/b/c', 'a'))
  assert.deepEqual(
    trailTo(tree, 'a/b/c').map(({ id }) => id),
    ['a', 'a/b', 'a/b/c'],
  )
})

test('read one after the other, a tree gives every page once', () => {
  const segment = fc.constantFrom('a', 'b', 'c', 'ab')
  const id = fc.array(segment, { minLength: 1, maxLength: 4 }).map(segments => segments.join('/'))
  fc.assert(
    fc.property(fc.uniqueArray(id, { maxLength: 30 }), ids => {
      const tree = pageTree(pages(...ids))
      const read = inTreeOrder(tree).map(page => page.id.toString())
      assert.deepEqual(read.toSorted(), ids.toSorted())
      for (const each of ids) assert.equal(trailTo(tree, each).at(-1)?.id, each)
    }),
  )
})

type Outline = string | Outline[]

function outline(tree: readonly Branch[]): Outline[] {
  return tree.map(({ id, children }) => (children.length > 0 ? [id, ...outline(children)] : id))
}

function pages(...ids: string[]): Page[] {
  return ids.flatMap(id =>
    isPageId(id) ? [{ id, name: `Page ${id}`, content: hashOf(new Uint8Array()), links: [] }] : [],
  )
}
