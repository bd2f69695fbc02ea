import type { Element, ElementContent, Root } from 'hast'
import { captionTrack } from '../cards/player.ts'
import type { Words } from '../words/words.ts'
import type { LinkTargets } from './forms/link-cards.ts'
import { attribute, elementsOf, makeElement } from './hast.ts'
import { replacementLink } from './page-pictures.ts'
import { isSameOrigin } from './same-origin.ts'

/** Whether an element is a video or audio element. */
export function isMedia({ tagName }: Element): boolean {
  return tagName === 'video' || tagName === 'audio'
}

/** Makes a link of each picture whose file is a video or audio file, in place: `![The film](ident.webm)`. */
export function linkMedia(tree: Root, linkTargets: LinkTargets): void {
  for (const element of elementsOf(tree)) {
    const address = element.tagName === 'img' ? attribute(element, 'src') : undefined
    const to = address === undefined ? undefined : linkTargets.get(address)
    if (to?.kind !== 'file' || !to.media) continue
    const { alt, title } = element.properties
    const link = makeElement('a', { href: address, ...(title !== undefined && { title }) }, String(alt || to.type))
    Object.assign(element, link)
  }
}

/**
 * A video or audio file of the project, with controls, and with the poster and captions of the same name. Only its
 * metadata is loaded before it is played. A file from another origin becomes a link.
 */
export function enhanceMedia(
  media: Element,
  linkTargets: LinkTargets,
  isInLink: boolean,
  { pages }: Words,
): ElementContent[] {
  const children = media.children.filter(child => child.type === 'element')
  const local = children.filter(child => MEDIA_CHILDREN.has(child.tagName) && isLocal(child))
  const { src, ...properties } = media.properties
  if (!isLocal(media) && !local.some(({ tagName }) => tagName === 'source')) {
    const address = [media, ...children].map(element => attribute(element, 'src')).find(found => found !== undefined)
    const kind = media.tagName === 'video' ? pages.film : pages.sound
    return [replacementLink(address ?? '', attribute(media, 'title') ?? '', kind, isInLink)]
  }
  const [target] = [media, ...local].flatMap(element => linkTargets.get(attribute(element, 'src') ?? '') ?? [])
  const { poster, captions } = (target?.kind === 'file' && target.media) || {}
  const size = properties.width === undefined && properties.height === undefined && poster
  const enhanced = {
    ...properties,
    ...(isLocal(media) && { src }),
    ...(poster && { poster: poster.src }),
    ...(size && { width: size.width, height: size.height }),
    controls: true,
    preload: 'metadata',
  }
  const hasTrack = captions === undefined || local.some(({ tagName }) => tagName === 'track')
  const track = hasTrack ? [] : [captionTrack(captions, `${pages.captions}`)]
  return [{ ...media, properties: enhanced, children: [...local.map(child => ({ ...child, children: [] })), ...track] }]
}

const MEDIA_CHILDREN = new Set(['source', 'track'])

function isLocal(element: Element): boolean {
  const src = attribute(element, 'src')
  return src !== undefined && isSameOrigin(src)
}
