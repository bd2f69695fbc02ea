import type { Element, ElementContent } from 'hast'
import type { Words } from '../words/words.ts'
import { attribute } from './hast.ts'
import { replacementLink } from './page-pictures.ts'
import { isSameOrigin } from './same-origin.ts'

/** Whether an element is a video or audio element. */
export function isMedia({ tagName }: Element): boolean {
  return tagName === 'video' || tagName === 'audio'
}

/**
 * A video or audio file of the project, with controls. Only its metadata is loaded before it is played. A file from
 * another origin becomes a link.
 */
export function enhanceMedia(media: Element, isInLink: boolean, { pages }: Words): ElementContent[] {
  const children = media.children.filter(child => child.type === 'element')
  const local = children.filter(child => MEDIA_CHILDREN.has(child.tagName) && isLocal(child))
  const { src, ...properties } = media.properties
  if (!isLocal(media) && !local.some(({ tagName }) => tagName === 'source')) {
    const address = [media, ...children].map(element => attribute(element, 'src')).find(found => found !== undefined)
    const kind = media.tagName === 'video' ? pages.film : pages.sound
    return [replacementLink(address ?? '', attribute(media, 'title') ?? '', kind, isInLink)]
  }
  const enhanced = { ...properties, ...(isLocal(media) && { src }), controls: true, preload: 'metadata' }
  return [{ ...media, properties: enhanced, children: local.map(child => ({ ...child, children: [] })) }]
}

const MEDIA_CHILDREN = new Set(['source', 'track'])

function isLocal(element: Element): boolean {
  const src = attribute(element, 'src')
  return src !== undefined && isSameOrigin(src)
}
