import assert from 'node:assert/strict'
import test from 'node:test'
import { isPageId } from '#brand/ids.ts'
import type { Page } from '#brand/page.ts'
import { hashOf } from '#brand/snapshot.ts'
import { type Branch, pageTree, trailTo } from '#site/guide/page-tree.ts'

test('a page that comes after its subpages is still their parent', () => {
  assert.deepEqual(outline(pageTree(pages('logo/misuse', 'logo'))), [['logo', 'logo/misuse']])
})

test('pages deeper than eight levels are directly below the eighth', () => {
  const tree = pageTree(pages('1/2/3/4/5/6/7/8/9/10/11', '1/2/3/4/5/6/7/8', '1/2/3/4/5/6/7/8/9'))
  const below = trailTo(tree, '1/2/3/4/5/6/7/8')
    .at(-1)
    ?.children.map(({ id }) => id)
  assert.deepEqual(below, ['1/2/3/4/5/6/7/8/9/10/11', '1/2/3/4/5/6/7/8/9'])
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
