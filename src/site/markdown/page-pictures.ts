import type { Element, ElementContent } from 'hast'
import { attribute, isBlank } from './hast.ts'
import { isSameOrigin } from './same-origin.ts'

/** What is known of a picture of ours: its size in pixels, and the description of its file. */
export type Picture = { width: number; height: number; alt?: string }

/** A picture of ours with its size, so that nothing moves when it loads; one of another origin becomes a link to it. */
export function enhancePicture(
  picture: Element,
  pictures: ReadonlyMap<string, Picture>,
  isInLink: boolean,
): ElementContent {
  const src = attribute(picture, 'src') ?? ''
  const alt = attribute(picture, 'alt') ?? ''
  if (src === '' || !isSameOrigin(src)) return replacementLink(src, alt, 'Picture', isInLink)
  const known = pictures.get(src.replace(/[?#].*$/s, ''))
  const properties = {
    ...picture.properties,
    ...(known && size(picture, known)),
    alt: alt || known?.alt || '',
    loading: 'lazy',
    decoding: 'async',
  }
  return { ...picture, properties }
}

/** The picture's own size if the author gave none; if one side is given, the other in proportion. */
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

/** A link in place of a picture, sound or video of another origin, which a page does not load. */
export function replacementLink(src: string, label: string, kind: string, isInLink: boolean): ElementContent {
  const text = { type: 'text', value: label.trim() || (isInLink || src === '' ? kind : src) } as const
  if (isInLink || src === '') return { type: 'element', tagName: 'span', properties: {}, children: [text] }
  const properties = { href: src, rel: ['noopener', 'noreferrer'] }
  return { type: 'element', tagName: 'a', properties, children: [text] }
}

/** A paragraph that is only a picture (which may be a link) as a figure; its title becomes the caption. */
export function asFigure(node: ElementContent): ElementContent {
  if (node.type !== 'element' || node.tagName !== 'p') return node
  const content = onlyElement(node)
  const picture = content?.tagName === 'a' ? onlyElement(content) : content
  if (content === undefined || picture?.tagName !== 'img') return node
  const { title, ...properties } = picture.properties
  picture.properties = properties
  const text = typeof title === 'string' ? title.trim() : ''
  const children = text === '' ? [content] : [content, caption(text)]
  return { type: 'element', tagName: 'figure', properties: node.properties, children }
}

function onlyElement({ children }: Element): Element | undefined {
  const [only, ...others] = children.filter(child => !isBlank(child))
  return only?.type === 'element' && others.length === 0 ? only : undefined
}

function caption(text: string): Element {
  return { type: 'element', tagName: 'figcaption', properties: {}, children: [{ type: 'text', value: text }] }
}
