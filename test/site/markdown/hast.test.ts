import assert from 'node:assert/strict'
import test from 'node:test'
import type { Element, Root } from 'hast'
import { elementsOf } from '../../../src/site/markdown/hast.ts'

test('the elements of a page are found in the order in which they begin, of more than a call takes as well', () => {
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
