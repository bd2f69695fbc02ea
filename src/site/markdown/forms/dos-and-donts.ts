import type { Element } from 'hast'
import { makeElement, rowsOf, textOf } from '../hast.ts'
import { titleVerdict, type Verdict } from './captions.ts'
import type { PictureContext } from './figures.ts'
import { figureAndText, splitPictureAndText } from './picture-and-text.ts'
import { signOf } from './signs.ts'

/**
 * Adds signs to the header and bars to the cells of a table with the columns `Do` and `Don't`, in place. `Do: Right`
 * has a word of its author. A first column may label the rows.
 */
export function asDosAndDonts(table: Element, context: PictureContext): Element | undefined {
  const [head = [], ...body] = rowsOf(table)
  const verdicts = head.map(cell => titleVerdict(textOf(cell, MAX_HEADING)))
  const hasLabels = verdicts.length === 3 && verdicts[0] === undefined
  if (verdicts.length !== 2 && !hasLabels) return undefined
  if (!verdicts.includes('do') || !verdicts.includes('dont')) return undefined
  table.properties.className = hasLabels ? ['judged', 'labelled'] : ['judged']
  for (const [column, verdict] of verdicts.entries()) {
    const cells = body.flatMap(row => row[column] ?? [])
    if (verdict) markColumn(verdict, head[column], cells, context)
    else for (const cell of cells) labelRow(cell)
  }
  return table
}

/** In characters. */
const MAX_HEADING = 100

function labelRow(cell: Element): void {
  if (textOf(cell, 1) === '') return // An empty cell is not a header.
  cell.tagName = 'th'
  cell.properties.scope = 'row'
}

function markColumn(
  verdict: Verdict,
  head: Element | undefined,
  cells: readonly Element[],
  context: PictureContext,
): void {
  const own = head && textOf(head, MAX_HEADING).split(':').slice(1).join(':').trim()
  if (head) head.children = makeElement('th', {}, signOf(verdict), own || context.words.forms[verdict]).children
  for (const cell of head ? [head, ...cells] : cells) cell.properties.className = [verdict]
  for (const cell of cells) {
    const parts = splitPictureAndText(cell.children)
    if (parts) cell.children = figureAndText(parts, context)
  }
}
