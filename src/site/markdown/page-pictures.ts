import type { Element, ElementContent } from 'hast'
import { isOwnAddress } from './own-address.ts'
import { attribute, isBlank } from './page-tree.ts'

/** What is known of a picture of ours: its size in pixels, and the description of its file. */
export type Picture = { width: number; height: number; alt?: string }

/** A picture of ours with its size, so that nothing moves as it comes; in place of any other, a link to it. */
export function enhancePicture(
  picture: Element,
  pictures: ReadonlyMap<string, Picture>,
  inLink: boolean,
): ElementContent {
  const src = attribute(picture, 'src') ?? ''
  const alt = attribute(picture, 'alt') ?? ''
  if (src === '' || !isOwnAddress(src)) return reference(src, alt, 'Picture', inLink)
  const known = pictures.get(src.replace(/[?#].*$/s, ''))
  const properties = {
    ...picture.properties,
    ...(known && size(picture, known)),
    ...{ alt: alt || known?.alt || '', loading: 'lazy', decoding: 'async' },
  }
  return { ...picture, properties }
}

/** A link that stands for a picture, sound or film of another origin, which a page does not load. */
export function reference(src: string, label: string, kind: string, inLink: boolean): ElementContent {
  const text = { type: 'text', value: label.trim() || (inLink || src === '' ? kind : src) } as const
  if (inLink || src === '') return { type: 'element', tagName: 'span', properties: {}, children: [text] }
  const properties = { href: src, rel: ['noopener', 'noreferrer'] }
  return { type: 'element', tagName: 'a', properties, children: [text] }
}

/** A paragraph that is one picture (which may be a link) as a figure; its title becomes the caption. */
export function inFigure(node: ElementContent): ElementContent {
  if (node.type !== 'element' || node.tagName !== 'p') return node
  const shown = onlyElement(node)
  const picture = shown?.tagName === 'a' ? onlyElement(shown) : shown
  if (shown === undefined || picture?.tagName !== 'img') return node
  const { title, ...properties } = picture.properties
  picture.properties = properties
  const text = typeof title === 'string' ? title.trim() : ''
  const caption: Element = {
    ...{ type: 'element', tagName: 'figcaption', properties: {} },
    children: [{ type: 'text', value: text }],
  }
  return {
    type: 'element',
    tagName: 'figure',
    properties: node.properties,
    children: text ? [shown, caption] : [shown],
  }
}

function onlyElement({ children }: Element): Element | undefined {
  const [only, ...others] = children.filter(child => !isBlank(child))
  return only?.type === 'element' && others.length === 0 ? only : undefined
}

/** The picture's own size where the author gave none; where one side is given, the other in proportion. */
function size(picture: Element, { width, height }: Picture): Element['properties'] {
  const given = { width: attribute(picture, 'width'), height: attribute(picture, 'height') }
  if (given.width === undefined && given.height === undefined) return { width, height }
  if (given.width !== undefined && given.height === undefined) return scaled('height', given.width, height / width)
  if (given.width === undefined && given.height !== undefined) return scaled('width', given.height, width / height)
  return {}
}

function scaled(side: string, other: string, ratio: number): Element['properties'] {
  return /^\d{1,6}$/.test(other) && Number.isFinite(ratio) ? { [side]: Math.round(Number(other) * ratio) } : {}
}
