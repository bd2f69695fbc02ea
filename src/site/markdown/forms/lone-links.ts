import type { Element, ElementContent } from 'hast'
import type { CardLink } from '../../cards/link-card.ts'
import { attribute, isBlank, textOf } from '../hast.ts'

/** A link alone in a paragraph, or in a list item with a string after it: ` 54 %`. */
export type LoneLink = CardLink & { rest: string }

/**
 * The links of a paragraph with only a link, or of a list with only links. Undefined for other elements, and if the
 * author gave the element, an item or a link an id, since other links may point there. Ignores links that are not the
 * author's elements.
 */
export function loneLinks(
  { tagName, properties, children }: Element,
  authored: ReadonlySet<Element>,
): LoneLink[] | undefined {
  const isNumbered = tagName === 'ol'
  if (Object.keys(properties).some(name => !(isNumbered && name === 'start'))) return undefined
  if (tagName === 'p') return listOf([loneLink(children, authored, false)])
  if (tagName !== 'ul' && !isNumbered) return undefined
  return listOf(children.filter(child => !isBlank(child)).map(child => itemLink(child, authored)))
}

function listOf(links: readonly (LoneLink | undefined)[]): LoneLink[] | undefined {
  const lone = links.flatMap(link => link ?? [])
  return lone.length === 0 || lone.length < links.length ? undefined : lone
}

function itemLink(item: ElementContent, authored: ReadonlySet<Element>): LoneLink | undefined {
  if (item.type !== 'element' || item.tagName !== 'li' || Object.keys(item.properties).length > 0) return undefined
  const [only, ...others] = item.children.filter(child => !isBlank(child))
  const isParagraph = only?.type === 'element' && only.tagName === 'p' && others.length === 0
  return loneLink(isParagraph ? only.children : item.children, authored, true)
}

function loneLink(
  nodes: readonly ElementContent[],
  authored: ReadonlySet<Element>,
  mayHaveRest: boolean,
): LoneLink | undefined {
  const [link, ...others] = nodes.filter(node => !isBlank(node))
  if (link?.type !== 'element' || link.tagName !== 'a' || !authored.has(link)) return undefined
  if (others.length > (mayHaveRest ? 1 : 0)) return undefined
  const [rest] = others
  const [href, title] = [attribute(link, 'href'), attribute(link, 'title')]
  const text = textOf(link, MAX_TEXT)
  const isPlain = Object.keys(link.properties).every(name => PLAIN.has(name)) && !link.children.some(isMedium)
  if (href === undefined || text === '' || !isPlain || (rest && rest.type !== 'text')) return undefined
  return { href, text, title, rest: rest?.value.trim() ?? '' }
}

/** The attributes that the link of a card may have. */
const PLAIN: ReadonlySet<string> = new Set(['href', 'title', 'rel', 'lang', 'dir'])
/** The limit of a title in characters. */
export const MAX_TEXT = 200

function isMedium(node: ElementContent): boolean {
  return node.type === 'element' && /^(?:img|picture|video|audio)$/.test(node.tagName)
}
