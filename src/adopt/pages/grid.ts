import type { Element, Nodes } from 'hast'
import { colorKeyOf, namesScreenValue } from '#brand/styles/notation.ts'
import { typeKeyOf } from '#brand/styles/type-labels.ts'
import { inlineText } from '#formats/markdown/page-blocks.ts'
import { wordSet } from '#platform/base/text.ts'
import { attribute, elementsIn, plainText } from './html-tree.ts'

/** The strings of cells by row. */
export type Rows = readonly (readonly string[])[]

/** A table without spans: a cell that reaches over others stands in each of them. */
export type Grid = { header: readonly string[]; rows: Rows }

/**
 * The grid of rows whose first `least` ones are labels. Those below that only divide columns are labels too, such as `C` and
 * `U` below *Pantone*.
 */
export function gridOfRows(rows: Rows, least = 1): Grid {
  const candidates = [...rows.slice(least, least + MAX_HEADER_ROWS), []]
  const added = candidates.findIndex((row, at) => !divides([...rows.slice(0, least + at), row]))
  const count = least + added
  return { header: headerOf(rows.slice(0, count)), rows: rows.slice(count) }
}

/** Rows of labels, one below the other. */
export const MAX_HEADER_ROWS = 3

/** Whether the last row gives labels to parts of columns: it has no name and no value, and most words name fields. */
function divides(rows: Rows): boolean {
  const [row = [], ...above] = upwardRows(rows)
  const parts = row.flatMap((text, at) => {
    const label = labelOf(above, at)
    const whole = labelOf([row, ...above], at)
    const isName = keyOf(label) === 'name' && keyOf(text) !== 'name'
    const isPart = whole.length > 1 || HAS_CHANNELS.has(colorKeyOf(label))
    const isLabel = isPart && keyOf(whole) !== undefined
    return text === '' || text === label ? [] : [{ isLabel, mayBeLabel: !isName && !MAY_BE_VALUE.test(text) }]
  })
  const labels = parts.filter(({ isLabel }) => isLabel)
  return labels.length * 2 > parts.length && parts.every(({ mayBeLabel }) => mayBeLabel)
}

const MAY_BE_VALUE = /[\d#]/

/** The field that a label names. */
function keyOf(label: string): string | undefined {
  return colorKeyOf(label) ?? typeKeyOf(label)
}

/** The labels of columns below rows of labels. */
export function headerOf(rows: Rows): string[] {
  const upward = upwardRows(rows)
  return (upward[0] ?? []).map((_, at) => labelOf(upward, at))
}

/**
 * Rows of labels from the lowest. An empty cell above a label belongs to the cell before it, as spreadsheets write cells
 * that reach over columns.
 */
function upwardRows(rows: Rows): string[][] {
  const width = Math.max(0, ...rows.map(row => row.length))
  const columns = [...Array(width).keys()]
  const isFilled = columns.map(() => false)
  return rows.toReversed().map(row => {
    let before = ''
    return columns.map(at => {
      before = row[at] || (isFilled[at] ? before : '')
      isFilled[at] ||= before !== ''
      return before
    })
  })
}

/** The label of a column: the lowest words, with those above that also name its field. */
function labelOf(upward: Rows, at: number): string {
  const texts = new Set(upward.map(row => row[at] ?? ''))
  const [lowest = '', ...above] = [...texts].filter(text => text !== '').slice(0, MAX_HEADER_ROWS)
  const isChannel = lowest.length === 1 && above.some(text => HAS_CHANNELS.has(colorKeyOf(text)))
  const wholes = above.map((_, at) => [...above.slice(0, at + 1).toReversed(), lowest].join(' '))
  return (isChannel ? undefined : wholes.find(whole => keyOf(whole) !== undefined)) ?? lowest
}

const HAS_CHANNELS: ReadonlySet<string | undefined> = new Set(['rgb', 'cmyk'])

/**
 * Rows of styles: the columns, if the first one has, below its first cell, a label of values for screens or several of type
 * styles. A title above them is left out.
 */
export function uprightRows(rows: Rows): Rows {
  const labelled = rows.slice(1).filter(([, ...values]) => MAY_BE_VALUE.test(values.join()))
  const isOfTypes = labelled.filter(([label = '']) => MEASURES.has(typeKeyOf(label))).length > 1
  const isTurned = isOfTypes || labelled.some(([label = '']) => namesScreenValue(label))
  if (!isTurned) return rows
  const [names = [], ...values] = rows.slice(rows.findIndex(row => row.slice(1).join('') !== ''))
  const isNamed = values.some(([label = '']) => colorKeyOf(label) === 'name')
  const width = rows.reduce((most, { length }) => Math.max(most, length), 0)
  const named = isNamed ? [names, ...values] : [names.with(0, 'Name'), ...values]
  return Array.from({ length: width }, (_, at) => named.map(row => row[at] ?? ''))
}

const MEASURES: ReadonlySet<string | undefined> = new Set(['size', 'leading', 'weight', 'tracking'])

/** A cell of a table, with how many columns and rows it reaches over. */
type SpreadCell = { text: string; columns: number; rows: number }
type GridCell = SpreadCell & { isHeader: boolean }

/** The most columns, and rows that a cell reaches over: HTML §4.9.11 has the same for columns. */
const MAX_SPAN = 1000
/** A cell that reaches over others takes a word of a page, and memory for each of them. */
const MAX_CELLS = 200_000

/** The grid of a table in HTML. */
export function gridOfHtml(table: Nodes): Grid {
  const rows = [...elementsIn(table)].filter(({ tagName }) => tagName === 'tr').map(cellsOf)
  return gridOfCells(rows.map(row => row.map(gridCell)))
}

/** The texts of cells by row and column: a cell that reaches over others stands in each of them. */
export function spreadTexts(rows: readonly (readonly SpreadCell[])[]): string[][] {
  const grid: SpreadCell[][] = rows.map(() => [])
  const maxColumns = Math.min(MAX_SPAN, Math.ceil(MAX_CELLS / rows.length))
  for (const [at, cells] of rows.entries()) {
    let column = 0
    for (const cell of cells) {
      while (grid[at]?.[column]) column++
      const end = Math.min(column + cell.columns, maxColumns)
      for (const row of grid.slice(at, at + cell.rows)) for (let to = column; to < end; to++) row[to] ??= cell
      column = end
    }
  }
  return grid.map(row => Array.from(row, cell => cell?.text ?? ''))
}

/** The grid of cells that may reach over others. */
function gridOfCells(rows: readonly (readonly GridCell[])[]): Grid {
  const texts = spreadTexts(rows)
  const firstOther = rows.findIndex(row => !row.every(cell => cell.isHeader))
  const headers = texts.slice(0, Math.max(firstOther, 1))
  // The last of them may be the title of the rows below it.
  return gridOfRows(texts, headers.findLastIndex(row => new Set(row).size > 1) + 1 || 1)
}

export function cellsOf(row: Element): Element[] {
  return row.children.filter(child => child.type === 'element').filter(({ tagName }) => CELLS.has(tagName))
}

const CELLS = wordSet('th td')

function gridCell(cell: Element): GridCell {
  const [columns, rows] = [spanOf(cell, 'colSpan'), spanOf(cell, 'rowSpan')]
  return { text: plainText(cell), columns, rows, isHeader: cell.tagName === 'th' }
}

/** How many columns or rows a cell reaches over. */
export function spanOf(cell: Element, name: 'colSpan' | 'rowSpan'): number {
  return Math.min(Math.max(Number(attribute(cell, name)), 1), MAX_SPAN) || 1
}

/** A cell without marks, pictures and the address of links. */
export function plainCell(cell: string): string {
  const text = inlineText(cell).replaceAll('*', '')
  return CHANNELS.test(text) ? text.replace(/ ?[-–·•|] ?/g, ', ') : text
}

/** Channels between marks that separate none in a list of colours: `20-0-100-0`. */
const CHANNELS = /^\d{1,3}(?: ?[-–·•|] ?\d{1,3}){2,3}$/
