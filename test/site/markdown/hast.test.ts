import assert from 'node:assert/strict'
import test from 'node:test'
import type { Element, Root } from 'hast'
import { elementsOf } from '#site/markdown/hast.ts'

test('elements are found in document order, also more than a call can have as arguments', () => {
  const element = (tagName: string, children: Element[]): Element => ({
    type: 'element',
    tagName,
    properties: {},
    children,
  })
  const wide = element(
    'ul',
    Array.from({ length: 200_000 }, () => element('li', [])),
  )
  const tree: Root = { type: 'root', children: [element('p', [element('b', []), element('i', [])]), wide] }
  const names = elementsOf(tree).map(({ tagName }) => tagName)
  assert.deepEqual(names.slice(0, 5), ['p', 'b', 'i', 'ul', 'li'])
  assert.equal(names.length, 200_004)
})
