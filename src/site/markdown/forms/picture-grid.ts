import type { Element } from 'hast'
import { attribute, makeElement } from '../hast.ts'
import { figureOf, type PictureContext, picturesIn, type WrittenPicture } from './figures.ts'
import { figureAndText, splitPictureAndText } from './picture-and-text.ts'

/** A paragraph of only pictures, at least two, as a grid. */
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

/** A list of pictures, optionally with text below each, as a grid. */
export function asPictureList(list: Element, context: PictureContext): Element | undefined {
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

/** px */
const SMALL = 240
/** The minimum ratio of width to height. */
const BANNER = 3

function sizeOf([first]: WrittenPicture): { width: number; height: number } {
  const image = first.tagName === 'a' ? first.children.find(child => child.type === 'element') : first
  const side = (name: string) => Number((image?.type === 'element' && attribute(image, name)) || Number.NaN)
  return { width: side('width') || Number.POSITIVE_INFINITY, height: side('height') || Number.POSITIVE_INFINITY }
}
