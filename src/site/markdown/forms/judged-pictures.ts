import type { Element, ElementContent } from 'hast'
import { isBlank, makeElement } from '../hast.ts'
import { asFigure, isBreak, isJudged, type PictureContext } from './figures.ts'
import { asPictureGrid } from './picture-grid.ts'

/**
 * A paragraph, an item or a cell in which pictures that judge, by a title such as `Don't: stretched`, stand beside text:
 * each run of such pictures on a line of its own, with sign, bar and word. Undefined if there is none.
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
