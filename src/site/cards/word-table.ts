import type { Element } from 'hast'
import type { Words } from '../words/words.ts'
import { element } from './element.ts'
import type { WordsTarget } from './link-target.ts'

/** The words of a brand, and the words that they replace, as a table in a box that scrolls if it must. */
export function wordTable({ brandWords, comma }: Words, label: string, { id, rows }: WordsTarget): Element {
  const header = [brandWords.write, brandWords.not, brandWords.why].map(name => element('th', { scope: 'col' }, name))
  const lines = rows.map(({ write, not, reason, page }) =>
    element(
      'tr',
      {},
      element('td', {}, element('strong', {}, write)),
      element('td', {}, not.join(comma)),
      element('td', {}, reason, reason && page ? ' ' : undefined, page && element('a', { href: page.href }, page.name)),
    ),
  )
  const table = element('table', {}, element('thead', {}, element('tr', {}, header)), element('tbody', {}, lines))
  const properties = { className: ['table', 'brand-words'], id, role: 'region', ariaLabel: label, tabIndex: 0 }
  return element('div', properties, table)
}
