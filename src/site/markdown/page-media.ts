import type { Element, ElementContent } from 'hast'
import type { Words } from '../words/words.ts'
import { attribute } from './hast.ts'
import { replacementLink } from './page-pictures.ts'
import { isSameOrigin } from './same-origin.ts'

/** Whether an element is a video or a sound, a media element of HTML. */
export function isMedia({ tagName }: Element): boolean {
  return tagName === 'video' || tagName === 'audio'
}

/** A video or sound of ours with controls, loaded when it is started; one of another origin becomes a link to it. */
export function enhanceMedia(media: Element, isInLink: boolean, { pages }: Words): ElementContent[] {
  const children = media.children.filter(child => child.type === 'element')
  const ours = children.filter(child => MEDIA_CHILDREN.has(child.tagName) && isOurs(child))
  const { src, ...properties } = media.properties
  if (!isOurs(media) && !ours.some(({ tagName }) => tagName === 'source')) {
    const address = [media, ...children].map(element => attribute(element, 'src')).find(found => found !== undefined)
    const kind = media.tagName === 'video' ? pages.film : pages.sound
    return [replacementLink(address ?? '', attribute(media, 'title') ?? '', kind, isInLink)]
  }
  const enhanced = { ...properties, ...(isOurs(media) && { src }), controls: true, preload: 'metadata' }
  return [{ ...media, properties: enhanced, children: ours.map(child => ({ ...child, children: [] })) }]
}

const MEDIA_CHILDREN = new Set(['source', 'track'])

function isOurs(element: Element): boolean {
  const src = attribute(element, 'src')
  return src !== undefined && isSameOrigin(src)
}
