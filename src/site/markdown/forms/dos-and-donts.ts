import type { Element, ElementContent } from 'hast'
import type { Words } from '../../words/words.ts'
import { attribute, classesOf, elementsOf, makeElement, rowsOf, textOf } from '../hast.ts'
import { signOf, titleVerdict, type Verdict } from './captions.ts'
import { type PictureContext, picturesIn } from './figures.ts'
import { figureAndText, splitPictureAndText } from './picture-grid.ts'

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

/**
 * A table with the headings `Before` and `After` and two pictures in each row, as one comparison per row: side by side,
 * or with script one above the other with a slider.
 */
export function asBeforeAfter(box: Element, { forms }: Words): Element | undefined {
  const [table] = box.children
  if (!classesOf(box).includes('table') || table?.type !== 'element') return undefined
  const [head = [], ...body] = rowsOf(table)
  const names = head.map(cell => textOf(cell, MAX_WORD).toLowerCase())
  const pairs = body.flatMap(cells => pairIn(cells) ?? [])
  if (names.join() !== 'before,after' || pairs.length === 0 || pairs.length < body.length) return undefined
  const comparisons = pairs.map(({ before, after }) => {
    const properties = { type: 'range', min: '0', max: '100', value: '50', ariaLabel: `${forms.compare}` }
    const figures = [figureOf(before, forms.before), figureOf(after, forms.after)]
    return makeElement('div', { className: ['compare'] }, ...figures, makeElement('input', properties))
  })
  return comparisons.length === 1 ? comparisons[0] : makeElement('div', {}, ...comparisons)
}

/** Longer than either heading. */
const MAX_WORD = 10

function pairIn(cells: readonly Element[]): { before: Element[]; after: Element[] } | undefined {
  const [before, after] = cells.map(cell => imagesIn(cell.children))
  return cells.length === 2 && before && after ? { before, after } : undefined
}

/** The only picture of a cell, without its link, which a slider would cover; a pair for light and dark pages is one. */
function imagesIn(nodes: readonly ElementContent[]): Element[] | undefined {
  const [picture, ...others] = picturesIn(nodes) ?? []
  if (!picture || others.length > 0) return undefined
  return picture.flatMap(element => elementsOf(element).filter(({ tagName }) => tagName === 'img'))
}

function figureOf(images: readonly Element[], word: Words['forms']['before']): Element {
  const title = images.map(image => attribute(image, 'title')?.trim()).find(found => found)
  for (const image of images) delete image.properties.title
  const caption = makeElement('figcaption', {}, word, ...(title ? [`: ${title}`] : []))
  return makeElement('figure', {}, makeElement('span', { className: ['picture'] }, ...images), caption)
}
