import type { Element, ElementContent } from 'hast'
import { element } from '../../cards/element.ts'
import { mediaFigure } from '../../cards/link-card.ts'
import type { LinkTarget } from '../../cards/link-target.ts'
import type { Words } from '../../words/words.ts'
import { attribute, classesOf, isBlank, textOf } from '../hast.ts'
import { figureOf, isBreak, isPicture } from './figures.ts'

/** The authored links that may be films, and their targets. */
type FilmContext = { linkTargets: ReadonlyMap<string, LinkTarget>; authored: ReadonlySet<Element>; words: Words }

/**
 * Films in columns, each with its player, from a list or a paragraph of only films and pictures; undefined for other
 * blocks.
 */
export function filmColumns(parent: Element, block: Element, context: FilmContext): Element | undefined {
  if (!classesOf(parent).includes('columns') || !/^(?:p|ul|ol)$/.test(block.tagName)) return undefined
  const nodes = contentOf(block).flatMap(node => (block.tagName === 'p' ? [node] : itemContent(node)))
  const figures = nodes.map(node => filmFigure(node, context) ?? pictureFigure(node, context))
  const hasFilm = nodes.some(node => filmFigure(node, context) !== undefined)
  if (!hasFilm || figures.includes(undefined)) return undefined
  return element(
    'div',
    { className: ['films'] },
    figures.flatMap(figure => figure ?? []),
  )
}

function contentOf({ children }: Element): ElementContent[] {
  return children.filter(node => !isBlank(node) && !isBreak(node))
}

/** The only content of an item; the item itself if there is more. */
function itemContent(item: ElementContent): ElementContent[] {
  if (item.type !== 'element') return [item]
  const [only, ...others] = contentOf(item)
  if (only?.type !== 'element' || others.length > 0) return [item]
  return only.tagName === 'p' ? contentOf(only) : [only]
}

function filmFigure(node: ElementContent, { linkTargets, authored, words }: FilmContext): Element | undefined {
  if (node.type !== 'element' || node.tagName !== 'a' || !authored.has(node)) return undefined
  const href = attribute(node, 'href') ?? ''
  const to = linkTargets.get(href)
  if (to?.kind !== 'file' || !to.media || to.media.kind === 'audio') return undefined
  const link = { href, text: textOf(node) || to.type, title: attribute(node, 'title') }
  return mediaFigure(link, { ...to, media: to.media }, words)
}

/** A picture next to films, or one that is a figure already. */
function pictureFigure(node: ElementContent, { words }: FilmContext): Element | undefined {
  if (node.type === 'element' && node.tagName === 'figure') return node
  return isPicture(node) ? figureOf([node], { isInLink: false, words }) : undefined
}
