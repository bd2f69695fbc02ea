import { serializeOuter } from 'parse5'
import { type Element, elementsIn, hasClass, textIn } from './html-tree.ts'

/**
 * The pages of a chapter. It begins with a full page if it is at the top level or has a cover, with its title, its
 * description and its picture.
 */
export function chapterPages(
  main: Element,
  id: string,
  depth: number,
): (numbers: ReadonlyMap<string, number>) => string {
  const cover = coverOf(main) ?? (depth === 0 ? plainCover(main) : undefined)
  if (cover) removeFrom(main, cover)
  if (!cover) return () => body(main, id)
  const isEmpty = textIn(main).trim() === '' && !elementsIn(main).some(({ tagName }) => tagName === 'img')
  const rest = isEmpty ? '' : body(main)
  const [start, end] = [serializeOuter(cover).slice(0, -END.length), `${END}\n</section>\n${rest}`]
  return numbers => `<section class="book-opener" id="${id}">
${start}<b class="book-number">${numbers.get(id) ?? ''}</b>${end}`
}

const END = '</div>'

function body(main: Element, id?: string): string {
  return `<section class="book-chapter"${id === undefined ? '' : ` id="${id}"`}>\n${serializeOuter(main)}\n</section>\n`
}

/** The head of a page with its title on a background, next to its picture; undefined if it has none. */
export function coverOf(main: Element): Element | undefined {
  return elementsIn(main).find(({ attrs }) => hasClass(attrs, 'cover'))
}

/** The title and the description of a page without a cover. */
function plainCover(main: Element): Element | undefined {
  const title = elementsIn(main).find(({ tagName }) => tagName === 'h1')
  const lead = elementsIn(main).find(({ attrs }) => hasClass(attrs, 'lead'))
  if (!title) return undefined
  const parts = lead ? [title, lead] : [title]
  for (const part of parts) removeFrom(main, part)
  const text: Element = { ...main, tagName: 'div', nodeName: 'div', attrs: [], childNodes: parts }
  return { ...text, attrs: [{ name: 'class', value: 'cover plain' }], childNodes: [text] }
}

function removeFrom(parent: Element, child: Element): void {
  parent.childNodes = parent.childNodes.filter(node => node !== child)
  for (const node of parent.childNodes) if ('tagName' in node) removeFrom(node, child)
}
