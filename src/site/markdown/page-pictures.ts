import type { Element, ElementContent } from 'hast'
import type { StyleId } from '../../brand/ids.ts'
import type { Word } from '../html.ts'
import type { Words } from '../words/words.ts'
import { attribute, makeElement } from './hast.ts'
import { isSameOrigin } from './same-origin.ts'

/** What is known of a picture of ours: its size in pixels, the description of its file, and its ground. */
export type Picture = { width: number; height: number; alt?: string; ground?: StyleId }

/** A picture of ours with its size, so that nothing moves when it loads; one of another origin becomes a link to it. */
export function enhancePicture(
  picture: Element,
  pictures: ReadonlyMap<string, Picture>,
  isInLink: boolean,
  { pages }: Words,
): ElementContent {
  const src = attribute(picture, 'src') ?? ''
  const alt = attribute(picture, 'alt') ?? ''
  if (src === '' || !isSameOrigin(src)) return replacementLink(src, alt, pages.picture, isInLink)
  const known = pictures.get(src.replace(/[?#].*$/s, ''))
  const scheme = SCHEME_MARK.exec(src)?.[1]
  const classes = [...(scheme ? [`only-${scheme}`] : []), ...(known?.ground ? [`ground-${known.ground}`] : [])]
  const properties = {
    ...picture.properties,
    src: src.replace(SCHEME_MARK, ''),
    ...(classes.length > 0 && { className: classes }),
    ...(known && size(picture, known)),
    alt: alt || known?.alt || '',
    loading: 'lazy',
    decoding: 'async',
  }
  return { ...picture, properties }
}

/** What GitHub takes a picture for that is shown on light or dark pages only. */
const SCHEME_MARK = /#gh-(light|dark)-mode-only$/

/**
 * The picture of a `<picture>` for light pages and that for dark ones, told apart by what GitHub understands too; or the
 * one that it has.
 */
export function inBothSchemes({ children }: Element): Element[] {
  const elements = children.filter(child => child.type === 'element')
  const image = elements.find(({ tagName }) => tagName === 'img')
  if (!image) return []
  const sources = { light: sourceFor('light', elements), dark: sourceFor('dark', elements) }
  if (sources.light === undefined && sources.dark === undefined) return [image]
  return (['light', 'dark'] as const).map(scheme => {
    const address = (sources[scheme] ?? attribute(image, 'src') ?? '').replace(/#.*$/s, '')
    return makeElement('img', { ...image.properties, src: `${address}#gh-${scheme}-mode-only` })
  })
}

function sourceFor(scheme: string, elements: readonly Element[]): string | undefined {
  const media = `(prefers-color-scheme:${scheme})`
  const source = elements.find(
    element => element.tagName === 'source' && attribute(element, 'media')?.replace(/\s+/g, '').toLowerCase() === media,
  )
  const address = source && attribute(source, 'srcSet')?.trim()
  return address !== undefined && isSameOrigin(address) && !/[\s,]/.test(address) ? address : undefined
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
export function replacementLink(src: string, label: string, kind: Word, isInLink: boolean): ElementContent {
  const text = label.trim()
  if (isInLink || src === '') return makeElement('span', {}, text || kind)
  return makeElement('a', { href: src, rel: ['noopener', 'noreferrer'] }, text || src)
}
