import type { Element, ElementContent } from 'hast'
import { isOwnAddress } from './own-address.ts'
import { reference } from './page-pictures.ts'
import { attribute } from './page-tree.ts'

/** Whether an element is a film or a sound. */
export function isMedium({ tagName }: Element): boolean {
  return tagName === 'video' || tagName === 'audio'
}

/** A film or sound of ours with its controls, which loads when it is started; in place of any other, a link to it. */
export function enhanceMedium(medium: Element, inLink: boolean): ElementContent[] {
  const parts = medium.children.filter(child => child.type === 'element')
  const own = parts.filter(part => MEDIA_PARTS.has(part.tagName) && isOwn(part))
  const { src, ...properties } = medium.properties
  const isOwnMedium = isOwn(medium)
  const others = [medium, ...parts].map(part => attribute(part, 'src')).find(found => found !== undefined)
  if (!isOwnMedium && !own.some(({ tagName }) => tagName === 'source')) {
    return [
      reference(others ?? '', attribute(medium, 'title') ?? '', medium.tagName === 'video' ? 'Film' : 'Sound', inLink),
    ]
  }
  const shown = { ...properties, ...(isOwnMedium && { src }), controls: true, preload: 'metadata' }
  return [{ ...medium, properties: shown, children: own.map(part => ({ ...part, children: [] })) }]
}

const MEDIA_PARTS = new Set(['source', 'track'])

function isOwn(element: Element): boolean {
  const src = attribute(element, 'src')
  return src !== undefined && isOwnAddress(src)
}
