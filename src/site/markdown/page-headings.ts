import type { Element, Root } from 'hast'
import { headingIds, MAX_HEADING } from './heading-ids.ts'
import { elementsOf, textOf } from './page-tree.ts'
import { AUTHOR_PREFIX } from './safe-list.ts'

/** A heading of a page, and the id that a link leads to it with. */
export type Heading = { level: number; id: string; text: string }

/** Gives every heading of a sanitised page its id, and returns them in order; the one above footnotes is not among them. */
export function numberHeadings(tree: Root): Heading[] {
  const idOf = headingIds()
  const headings: Heading[] = []
  for (const element of elementsOf(tree)) {
    const level = headingLevel(element)
    if (level === undefined || element.properties.id === `${AUTHOR_PREFIX}footnote-label`) continue
    const text = textOf(element, MAX_HEADING)
    const id = idOf(text)
    keepOwnId(element)
    element.properties.id = id
    headings.push({ level, id, text })
  }
  return headings
}

/** 1 to 6 for a heading. */
export function headingLevel({ tagName }: Element): number | undefined {
  return /^h[1-6]$/.test(tagName) ? Number(tagName.slice(1)) : undefined
}

/** Links to an id that the author gave the heading go on working. */
function keepOwnId(heading: Element): void {
  const { id } = heading.properties
  if (typeof id !== 'string') return
  heading.children.unshift({ type: 'element', tagName: 'span', properties: { id }, children: [] })
}
