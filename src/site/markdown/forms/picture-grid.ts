import type { Element, ElementContent } from 'hast'
import { attribute, isBlank, makeElement } from '../hast.ts'
import { figureOf, isBreak, isPicture, type PictureContext, picturesIn, type WrittenPicture } from './figures.ts'

/** A paragraph of nothing but pictures, two or more, as a grid of them. */
export function asPictureGrid(paragraph: Element, context: PictureContext): Element | undefined {
  const pictures = picturesIn(paragraph.children) ?? []
  if (pictures.length < 2) return undefined
  const className = gridClasses(pictures, false)
  return makeElement(
    'div',
    { ...paragraph.properties, className },
    ...pictures.map(picture => figureOf(picture, context)),
  )
}

/** A list of pictures, each of them maybe with text below it, as a grid. */
export function asPictureList(list: Element, context: PictureContext): Element | undefined {
  const items = list.children.filter(child => child.type === 'element')
  const entries = items.flatMap(item => illustrated(item.children) ?? [])
  if (items.length === 0 || entries.length < items.length || items.some(({ tagName }) => tagName !== 'li'))
    return undefined
  const pictures = entries.map(({ picture }) => picture)
  const hasText = entries.some(({ text }) => text.length > 0)
  list.properties.className = gridClasses(pictures, hasText)
  list.properties.role = 'list' // To some screen readers it is none if it has no marks.
  list.children = items.map((item, at) => ({ ...item, children: entries[at] ? shown(entries[at], context) : [] }))
  return list
}

/** A picture, and what stands below it. */
type Illustrated = { picture: WrittenPicture; text: ElementContent[] }

/** The picture that nodes begin with, and what stands on the lines below it; undefined if anything stands beside it. */
function illustrated(nodes: readonly ElementContent[]): Illustrated | undefined {
  const start = nodes.findIndex(node => !isBlank(node))
  const first = nodes[start]
  if (first?.type !== 'element' || first.tagName !== 'p') return splitBelowPicture(nodes)
  const parts = splitBelowPicture(first.children)
  if (parts === undefined) return undefined
  const lines = parts.text.length === 0 ? [] : [{ ...first, children: parts.text }]
  const below = nodes.slice(start + 1)
  return { picture: parts.picture, text: [...lines, ...(below.every(isBlank) ? [] : below)] }
}

function splitBelowPicture(nodes: readonly ElementContent[]): Illustrated | undefined {
  const end = nodes.findIndex(node => !isBlank(node) && !isPicture(node))
  const above = end < 0 ? nodes : nodes.slice(0, end)
  const text = end < 0 ? [] : nodes.slice(end)
  const [picture, ...others] = picturesIn(above) ?? []
  if (picture === undefined || others.length > 0) return undefined
  const [next] = text
  if (next === undefined) return { picture, text }
  if (isBreak(next)) return { picture, text: text.slice(1) }
  const between = `${textOfNode(above.at(-1))}${textOfNode(next)}`
  return /^\s*\n/.test(between) ? { picture, text } : undefined
}

function textOfNode(node: ElementContent | undefined): string {
  return node?.type === 'text' ? node.value : ''
}

function shown({ picture, text }: Illustrated, context: PictureContext): Element[] {
  const figure = figureOf(picture, context)
  return text.length === 0 ? [figure] : [figure, makeElement('div', {}, ...text)]
}

function gridClasses(pictures: readonly WrittenPicture[], hasText: boolean): string[] {
  return ['pictures', `columns-${columnsOf(pictures, hasText)}`, ...(hasText ? ['texts'] : [])]
}

/** Two to four: many small pictures stand closer than a few large ones. */
function columnsOf(pictures: readonly WrittenPicture[], hasText: boolean): number {
  const sizes = pictures.map(sizeOf)
  if (pictures.length <= 2 || sizes.every(({ width, height }) => width > BANNER * height)) return 2
  if (sizes.every(({ width }) => width <= SMALL) && !hasText) return Math.min(4, pictures.length)
  if (pictures.length === 4) return 2
  return 3
}

/** px */
const SMALL = 240
/** So many times as wide as high. */
const BANNER = 3

function sizeOf([first]: WrittenPicture): { width: number; height: number } {
  const image = first.tagName === 'a' ? first.children.find(child => child.type === 'element') : first
  const side = (name: string) => Number((image?.type === 'element' && attribute(image, name)) || Number.NaN)
  return { width: side('width') || Number.POSITIVE_INFINITY, height: side('height') || Number.POSITIVE_INFINITY }
}
