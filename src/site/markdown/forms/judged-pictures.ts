import type { Element, ElementContent } from 'hast'
import { isBlank, makeElement } from '../hast.ts'
import { asFigure, isBreak, isJudged, type PictureContext } from './figures.ts'
import { asPictureGrid } from './picture-grid.ts'

/**
 * A paragraph, item or cell with pictures that have a verdict in their title, such as `Don't: stretched`. Moves each
 * run of such pictures to a separate line with sign, bar and word. Undefined if there are none.
 */
export function withJudgedPictures(element: Element, context: PictureContext): Element | undefined {
  if (!element.children.some(node => isJudged(node))) return undefined
  const parts: { judged: boolean; nodes: ElementContent[] }[] = []
  for (const node of element.children) {
    const last = parts.at(-1)
    const judged = isJudged(node)
    if (last && (last.judged === judged || isBlank(node) || isBreak(node))) last.nodes.push(node)
    else parts.push({ judged, nodes: [node] })
  }
  const isParagraph = element.tagName === 'p'
  const children = parts.flatMap(({ judged, nodes }): ElementContent[] => {
    if (nodes.every(isBlank)) return []
    const part = makeElement('p', {}, ...nodes)
    if (!judged) return isParagraph ? [part] : nodes
    return [asFigure(part, context) ?? asPictureGrid(part, context) ?? part]
  })
  return { ...element, tagName: isParagraph ? 'div' : element.tagName, children }
}
