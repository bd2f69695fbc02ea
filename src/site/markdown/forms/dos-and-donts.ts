import type { Element } from 'hast'
import { makeElement, textOf } from '../hast.ts'
import { type Judgement, judgementOf } from './captions.ts'
import type { PictureContext } from './figures.ts'
import { figureAndText, illustrated } from './illustrated.ts'
import { signOf } from './signs.ts'

/** A table of two columns, `Do` and `Don't`, gets signs in its head and bars on its cells, in place. */
export function asDosAndDonts(table: Element, context: PictureContext): Element | undefined {
  const rows = childrenOf(table, 'thead', 'tbody').flatMap(section => childrenOf(section, 'tr'))
  const [head, ...body] = rows.map(row => childrenOf(row, 'th', 'td'))
  const judgements = head?.flatMap(cell => judgementOf(textOf(cell, MAX_WORD)) ?? []) ?? []
  if (head?.length !== 2 || new Set(judgements).size !== 2) return undefined
  table.properties.className = ['judged']
  for (const [column, judgement] of judgements.entries()) {
    const cells = body.flatMap(row => row[column] ?? [])
    judgeColumn(judgement, head[column], cells, context)
  }
  return table
}

/** Longer than either word. */
const MAX_WORD = 10

function judgeColumn(
  judgement: Judgement,
  head: Element | undefined,
  cells: readonly Element[],
  context: PictureContext,
): void {
  if (head) head.children = makeElement('th', {}, signOf(judgement), context.words.forms[judgement]).children
  for (const cell of head ? [head, ...cells] : cells) cell.properties.className = [judgement]
  for (const cell of cells) {
    const parts = illustrated(cell.children)
    if (parts) cell.children = figureAndText(parts, context)
  }
}

function childrenOf(element: Element, ...names: readonly string[]): Element[] {
  return element.children.flatMap(child => (child.type === 'element' && names.includes(child.tagName) ? child : []))
}
