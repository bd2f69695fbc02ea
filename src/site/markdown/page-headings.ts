import type { Element, ElementContent, Root } from 'hast'
import { AUTHOR_PREFIX } from '#brand/markdown/safe-list.ts'
import { HEADING_MARK, headingIds, MAX_HEADING, splitHeading } from '#formats/markdown/heading-ids.ts'
import { element } from '../cards/element.ts'
import { elementsOf, isBlank, textOf } from './hast.ts'

export type Heading = { level: number; id: string; text: string }

/** Sets the id of every heading of a sanitised page. Returns the headings in order, except the one above footnotes. */
export function assignHeadingIds(tree: Root): Heading[] {
  const idOf = headingIds()
  const headings: Heading[] = []
  for (const heading of elementsOf(tree)) {
    const level = headingLevel(heading)
    if (level === undefined || isFootnoteHeading(heading)) continue
    const { text, id: own } = takeMark(heading)
    const id = idOf(text, own)
    if (text === '' && heading.children.every(isBlank)) continue // Style sheets hide it.
    keepAuthorId(heading)
    heading.properties.id = id
    headings.push({ level, id, text })
  }
  return headings
}

/** The text of a heading and the id that its author wrote, whose mark is removed from its last text. */
function takeMark(heading: Element): { text: string; id?: string } {
  const { text, mark, ...rest } = splitHeading(textOf(heading, 2 * MAX_HEADING))
  // The innermost node at the end of the heading, but not of code, whose text is as written.
  let lastNode: ElementContent | undefined = heading.children.at(-1)
  while (lastNode?.type === 'element' && lastNode.tagName !== 'code') lastNode = lastNode.children.at(-1)
  if (mark !== undefined && lastNode?.type === 'text')
    lastNode.value = lastNode.value.replace(HEADING_MARK, '').trimEnd()
  return { ...rest, text: text.slice(0, MAX_HEADING).toWellFormed().trimEnd() }
}

/** Whether an element is the heading above the footnotes of a sanitised page. */
export function isFootnoteHeading({ properties }: Element): boolean {
  return properties.id === `${AUTHOR_PREFIX}footnote-label`
}

/** The level, 1 to 6; undefined for any other element. */
export function headingLevel({ tagName }: Element): number | undefined {
  return /^h[1-6]$/.test(tagName) ? Number(tagName.slice(1)) : undefined
}

/** Moves the author's id of a heading to an element in it, so that links to it keep working. */
function keepAuthorId(heading: Element): void {
  const { id } = heading.properties
  if (typeof id !== 'string') return
  heading.children.unshift(element('span', { id }))
}

/** The headings in the list of a page; a list of only one would be useless. */
export function listedHeadings<Listed extends Pick<Heading, 'level'>>(headings: readonly Listed[]): readonly Listed[] {
  const listed = headings.filter(({ level }) => level === 2 || level === 3)
  return listed.length < 2 ? [] : listed
}
