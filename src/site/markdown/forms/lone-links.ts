import type { Element, ElementContent } from 'hast'
import type { CardLink } from '../../cards/link-card.ts'
import { attribute, isBlank, textOf } from '../hast.ts'

/** A link that stands alone in a paragraph, or in an item of a list with a text after it: ` 54 %`. */
export type LoneLink = CardLink & { rest: string }

/**
 * The links of a paragraph that is one link, or of a list whose every item is a link; undefined for any other element,
 * and where an author has given the element, an item or a link an id, which other links may lead to. A link that is not
 * among the elements of the author is none.
 */
export function loneLinks(
  { tagName, properties, children }: Element,
  written: ReadonlySet<Element>,
): LoneLink[] | undefined {
  const isNumbered = tagName === 'ol'
  if (Object.keys(properties).some(name => !(isNumbered && name === 'start'))) return undefined
  if (tagName === 'p') return listOf([loneLink(children, written, false)])
  if (tagName !== 'ul' && !isNumbered) return undefined
  return listOf(children.filter(child => !isBlank(child)).map(child => itemLink(child, written)))
}

function listOf(links: readonly (LoneLink | undefined)[]): LoneLink[] | undefined {
  const found = links.flatMap(link => link ?? [])
  return found.length === 0 || found.length < links.length ? undefined : found
}

function itemLink(item: ElementContent, written: ReadonlySet<Element>): LoneLink | undefined {
  if (item.type !== 'element' || item.tagName !== 'li' || Object.keys(item.properties).length > 0) return undefined
  const [only, ...others] = item.children.filter(child => !isBlank(child))
  const isParagraph = only?.type === 'element' && only.tagName === 'p' && others.length === 0
  return loneLink(isParagraph ? only.children : item.children, written, true)
}

function loneLink(
  nodes: readonly ElementContent[],
  written: ReadonlySet<Element>,
  mayHaveRest: boolean,
): LoneLink | undefined {
  const [link, ...others] = nodes.filter(node => !isBlank(node))
  if (link?.type !== 'element' || link.tagName !== 'a' || !written.has(link)) return undefined
  if (others.length > (mayHaveRest ? 1 : 0)) return undefined
  const [rest] = others
  const [href, title] = [attribute(link, 'href'), attribute(link, 'title')]
  const text = textOf(link, MAX_TEXT)
  const isPlain = Object.keys(link.properties).every(name => PLAIN.has(name)) && !link.children.some(isMedium)
  if (href === undefined || text === '' || !isPlain || (rest && rest.type !== 'text')) return undefined
  return { href, text, title, rest: rest?.value.trim() ?? '' }
}

/** What the link of a card may have. */
const PLAIN: ReadonlySet<string> = new Set(['href', 'title', 'rel', 'lang', 'dir'])
/** Characters of a title. */
const MAX_TEXT = 200

function isMedium(node: ElementContent): boolean {
  return node.type === 'element' && /^(?:img|picture|video|audio)$/.test(node.tagName)
}
