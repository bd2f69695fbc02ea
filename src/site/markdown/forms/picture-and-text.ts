import type { Element, ElementContent } from 'hast'
import { isBlank, makeElement } from '../hast.ts'
import {
  figureOf,
  hasVerdict,
  isBreak,
  isPicture,
  type PictureContext,
  picturesIn,
  type WrittenPicture,
} from './figures.ts'

/** A picture, and the content below it. */
export type PictureAndText = { picture: WrittenPicture; text: ElementContent[] }

/**
 * The picture at the start of these nodes, and the content on the lines below. Undefined if anything else is on the
 * line of the picture, unless it has a verdict and so gets a separate line.
 */
export function splitPictureAndText(nodes: readonly ElementContent[]): PictureAndText | undefined {
  const start = nodes.findIndex(node => !isBlank(node))
  const first = nodes[start]
  if (first?.type !== 'element' || first.tagName !== 'p') return splitBelowPicture(nodes)
  const parts = splitBelowPicture(first.children)
  if (parts === undefined) return undefined
  const lines = parts.text.length === 0 ? [] : [{ ...first, children: parts.text }]
  const below = nodes.slice(start + 1)
  return { picture: parts.picture, text: [...lines, ...(below.every(isBlank) ? [] : below)] }
}

/** A picture as a figure, and the content below it. */
export function figureAndText({ picture, text }: PictureAndText, context: PictureContext): Element[] {
  const figure = figureOf(picture, context)
  return text.length === 0 ? [figure] : [figure, makeElement('div', {}, ...text)]
}

function splitBelowPicture(nodes: readonly ElementContent[]): PictureAndText | undefined {
  const end = nodes.findIndex(node => !isBlank(node) && !isPicture(node))
  const above = end < 0 ? nodes : nodes.slice(0, end)
  const text = end < 0 ? [] : nodes.slice(end)
  const [picture, ...others] = picturesIn(above) ?? []
  if (picture === undefined || others.length > 0) return undefined
  const [next] = text
  if (next === undefined) return { picture, text }
  if (isBreak(next)) return { picture, text: text.slice(1) }
  const between = `${textOfNode(above.at(-1))}${textOfNode(next)}`
  return /^\s*\n/.test(between) || picture.some(hasVerdict) ? { picture, text } : undefined
}

function textOfNode(node: ElementContent | undefined): string {
  return node?.type === 'text' ? node.value : ''
}
