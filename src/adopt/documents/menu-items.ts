import type { Nodes } from 'hast'
import { wordSet } from '#platform/base/text.ts'
import { attribute, attributesIn, childrenOf, elementOf, plainText, tagOf } from '../pages/html-tree.ts'
import type { MenuItem } from '../pages/page.ts'

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

const LISTS = wordSet('ol ul menu')
