import type { StyleId } from '../../brand/ids.ts'
import type { Cover } from '../../brand/page.ts'

/**
 * The classes of a cover that give it its colours; the theme's style sheet has their rules. A cover that asks for light or
 * dark letters has a second class.
 */
export function coverClasses(ground: StyleId | undefined, text: Cover['text'] = 'auto'): string {
  const letters = text === 'auto' ? [] : [`${text}-letters`]
  return [...(ground === undefined ? [] : [`ground-${ground}`]), ...letters].join(' ')
}
