import type { Element, Root } from 'hast'
import { elementsOf, textOf } from './hast.ts'
import { headingLevel, isFootnoteHeading } from './page-headings.ts'

/**
 * The title of a sanitised page: its first level-1 heading, if only pictures precede it or if it is the page name.
 * Undefined if the layout must show the name above the page. A page has one level-1 heading: if there are others, all
 * headings except the title are lowered by one level, in place.
 */
export function titleOf(tree: Root, name: string): Element | undefined {
  const heading = tree.children.find(node => node.type === 'element' && node.tagName === 'h1')
  const title = heading?.type === 'element' && isTitle(heading, tree, name) ? heading : undefined
  const others = elementsOf(tree).filter(element => element !== title && !isFootnoteHeading(element))
  const levels = others.map(headingLevel)
  if (levels.includes(1))
    for (const [at, element] of others.entries()) {
      const level = levels[at]
      if (level !== undefined) element.tagName = `h${Math.min(level + 1, 6)}`
    }
  return title
}

function isTitle(heading: Element, tree: Root, name: string): boolean {
  const above = tree.children.slice(0, tree.children.indexOf(heading))
  return above.every(node => textOf(node, MAX_TITLE) === '') || textOf(heading, MAX_TITLE) === name
}

/** Longer than any page name. */
const MAX_TITLE = 1000
