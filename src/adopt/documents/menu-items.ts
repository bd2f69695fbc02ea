import { dirname, join } from 'node:path/posix'
import type { Element, Nodes } from 'hast'
import { withoutLastSlash, withoutQuery, wordSet } from '#platform/base/text.ts'
import type { MenuItem } from '../document.ts'
import {
  attribute,
  attributesIn,
  childrenOf,
  elementOf,
  elementsNamed,
  isMostlyLinks,
  plainText,
  tagOf,
} from '../pages/html-tree.ts'
import { withoutExtension } from '../sources/leave-out.ts'
import { withoutIndex } from '../sources/order.ts'

/** The links of a navigation and the names in it, each with what a list behind it has: `<li>Identity <ul>…</ul></li>`. */
export function menuItems(node: Nodes): MenuItem[] {
  const items: MenuItem[] = []
  for (const child of childrenOf(node)) {
    const inner = menuItems(child)
    const label = plainText(child) || attributesIn(elementOf(child), 'ariaLabel', 'title', 'alt').join(' ')
    if (tagOf(child) === 'a') items.push({ label, link: attribute(child, 'href') })
    else if (LISTS.has(tagOf(child))) items.push({ label: '', ...items.pop(), items: inner })
    else items.push(...(inner.length > 0 || label === '' ? inner : [{ label }]))
  }
  return items
}

/** Whether an element is a list of links, one of which leads to its own page, as no list of the content does. */
export function isLocalMenu(element: Element, path: string): boolean {
  if (!LISTS.has(element.tagName) || !isMostlyLinks(element)) return false
  const addresses = elementsNamed(element, 'a').map(each => withoutQuery(attribute(each, 'href')))
  const places = addresses.filter(Boolean).map(address => placeOf(join(dirname(path), address)))
  return places.length > 1 && places.includes(placeOf(path))
}

function placeOf(path: string): string {
  return withoutIndex(withoutExtension(withoutLastSlash(path)))
}

const LISTS = wordSet('ol ul menu')
