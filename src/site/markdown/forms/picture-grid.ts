import type { Element, ElementContent } from 'hast'
import { element } from '../../cards/element.ts'
import { rowClasses } from '../../cards/ratios.ts'
import { attribute, isBlank, isElement } from '../hast.ts'
import {
  asFigure,
  type FigureOptions,
  figureOf,
  hasVerdict,
  isPicture,
  picturesIn,
  type WrittenPicture,
} from './figures.ts'

/** A paragraph of only pictures, at least two, as a grid. */
export function asPictureGrid(paragraph: Element, context: FigureOptions): Element | undefined {
  const pictures = picturesIn(paragraph.children) ?? []
  if (pictures.length < 2) return undefined
  const className = [...gridClasses(pictures, false), ...rowClasses(pictures.map(sizeOf))]
  const figures = pictures.map(picture => figureOf(picture, context))
  return element('div', { ...paragraph.properties, className }, figures)
}

/** A list of pictures, optionally with text below each, as a grid. */
export function asPictureList(list: Element, context: FigureOptions): Element | undefined {
  const items = list.children.filter(child => child.type === 'element')
  const entries = items.flatMap(item => splitPictureAndText(item.children) ?? [])
  if (items.length === 0 || entries.length < items.length || items.some(({ tagName }) => tagName !== 'li'))
    return undefined
  const pictures = entries.map(({ picture }) => picture)
  const hasText = entries.some(({ text }) => text.length > 0)
  list.properties.className = gridClasses(pictures, hasText)
  list.properties.role = 'list' // Some screen readers ignore a list without bullets.
  list.children = items.map((item, at) => ({
    ...item,
    children: entries[at] ? figureAndText(entries[at], context) : [],
  }))
  return list
}

function gridClasses(pictures: readonly WrittenPicture[], hasText: boolean): string[] {
  return ['pictures', `columns-${columnsOf(pictures, hasText)}`, ...(hasText ? ['texts'] : [])]
}

/** Two to four columns: small pictures are closer together than large ones. */
function columnsOf(pictures: readonly WrittenPicture[], hasText: boolean): number {
  const sizes = pictures.map(sizeOf)
  if (pictures.length <= 2 || sizes.every(({ width, height }) => width > BANNER * height)) return 2
  if (sizes.every(({ width }) => width <= SMALL) && !hasText) return Math.min(4, pictures.length)
  if (pictures.length === 4) return 2
  return 3
}

/** In pixels. */
const SMALL = 240
/** The minimum ratio of width to height. */
const BANNER = 3

/** The size that a picture has on its page; infinite if it is unknown. */
function sizeOf([first]: WrittenPicture): { width: number; height: number } {
  const image = first.tagName === 'a' ? first.children.find(child => child.type === 'element') : first
  const side = (name: string) => Number((image?.type === 'element' && attribute(image, name)) || Number.NaN)
  return { width: side('width') || Number.POSITIVE_INFINITY, height: side('height') || Number.POSITIVE_INFINITY }
}

type PictureAndText = { picture: WrittenPicture; text: ElementContent[] }

/**
 * The picture at the start of these nodes, and the content on the lines below. Undefined if anything else is on the
 * line of the picture, unless it has a verdict and so gets a separate line.
 */
export function splitPictureAndText(nodes: readonly ElementContent[]): PictureAndText | undefined {
  const start = nodes.findIndex(node => !isBlank(node))
  const first = nodes[start]
  if (!isElement(first, 'p')) return splitBelowPicture(nodes)
  const parts = splitBelowPicture(first.children)
  if (parts === undefined) return undefined
  const lines = parts.text.length === 0 ? [] : [{ ...first, children: parts.text }]
  const below = nodes.slice(start + 1)
  return { picture: parts.picture, text: [...lines, ...(below.every(isBlank) ? [] : below)] }
}

export function figureAndText({ picture, text }: PictureAndText, context: FigureOptions): Element[] {
  const figure = figureOf(picture, context)
  return text.length === 0 ? [figure] : [figure, element('div', {}, text)]
}

/** Splits inline nodes into a picture and the text after it. Undefined without a picture, with several, and as above. */
function splitBelowPicture(nodes: readonly ElementContent[]): PictureAndText | undefined {
  const end = nodes.findIndex(node => !isBlank(node) && !isPicture(node))
  const above = end < 0 ? nodes : nodes.slice(0, end)
  const text = end < 0 ? [] : nodes.slice(end)
  const [picture, ...others] = picturesIn(above) ?? []
  if (picture === undefined || others.length > 0) return undefined
  const [next] = text
  if (next === undefined) return { picture, text }
  if (isElement(next, 'br')) return { picture, text: text.slice(1) }
  const between = `${textOfNode(above.at(-1))}${textOfNode(next)}`
  return /^\s*\n/.test(between) || picture.some(hasVerdict) ? { picture, text } : undefined
}

function textOfNode(node: ElementContent | undefined): string {
  return node?.type === 'text' ? node.value : ''
}

/**
 * A paragraph, item or cell with pictures that have a verdict in their title, such as `Don't: stretched`. Moves each
 * run of such pictures to a separate line with sign, bar and word. Undefined if there are none.
 */
export function separateVerdictPictures(block: Element, context: FigureOptions): Element | undefined {
  if (!block.children.some(node => hasVerdict(node))) return undefined
  const parts: { isVerdict: boolean; nodes: ElementContent[] }[] = []
  for (const node of block.children) {
    const last = parts.at(-1)
    const isVerdict = hasVerdict(node)
    if (last && (last.isVerdict === isVerdict || isBlank(node) || isElement(node, 'br'))) last.nodes.push(node)
    else parts.push({ isVerdict, nodes: [node] })
  }
  const isParagraph = block.tagName === 'p'
  const children = parts.flatMap(({ isVerdict, nodes }): ElementContent[] => {
    if (nodes.every(isBlank)) return []
    const part = element('p', {}, nodes)
    if (!isVerdict) return isParagraph ? [part] : nodes
    return [asFigure(part, context) ?? asPictureGrid(part, context) ?? part]
  })
  return { ...block, tagName: isParagraph ? 'div' : block.tagName, children }
}
