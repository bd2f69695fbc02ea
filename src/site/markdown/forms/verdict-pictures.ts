import type { Element, ElementContent } from 'hast'
import { isBlank, makeElement } from '../hast.ts'
import { asFigure, hasVerdict, isBreak, type PictureContext } from './figures.ts'
import { asPictureGrid } from './picture-grid.ts'

/**
 * A paragraph, item or cell with pictures that have a verdict in their title, such as `Don't: stretched`. Moves each
 * run of such pictures to a separate line with sign, bar and word. Undefined if there are none.
 */
export function separateVerdictPictures(element: Element, context: PictureContext): Element | undefined {
  if (!element.children.some(node => hasVerdict(node))) return undefined
  const parts: { isVerdict: boolean; nodes: ElementContent[] }[] = []
  for (const node of element.children) {
    const last = parts.at(-1)
    const isVerdict = hasVerdict(node)
    if (last && (last.isVerdict === isVerdict || isBlank(node) || isBreak(node))) last.nodes.push(node)
    else parts.push({ isVerdict, nodes: [node] })
  }
  const isParagraph = element.tagName === 'p'
  const children = parts.flatMap(({ isVerdict, nodes }): ElementContent[] => {
    if (nodes.every(isBlank)) return []
    const part = makeElement('p', {}, ...nodes)
    if (!isVerdict) return isParagraph ? [part] : nodes
    return [asFigure(part, context) ?? asPictureGrid(part, context) ?? part]
  })
  return { ...element, tagName: isParagraph ? 'div' : element.tagName, children }
}
