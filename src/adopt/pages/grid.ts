import type { Element, Nodes } from 'hast'
import { colorKeyOf } from '#brand/styles/notation.ts'
import { attribute, elementsIn, plainText } from './html-tree.ts'

/** A cell of a table, with how many columns and rows it reaches over. */
type GridCell = { text: string; columns: number; rows: number; isHeader: boolean }

/** A table without spans: a cell that reaches over others stands in each of them. */
export type Grid = { header: readonly string[]; rows: readonly (readonly string[])[] }

/** The most columns, and rows that a cell reaches over: HTML §4.9.11 has the same for columns. */
const MAX_SPAN = 1000
/** A cell that reaches over others takes a word of a page, and memory for each of them. */
const MAX_CELLS = 200_000

/** The grid of rows of cells. Rows that are only headers, above others, are one header, from the widest to the narrowest. */
function gridOf(rows: readonly (readonly GridCell[])[]): Grid {
  const grid: GridCell[][] = rows.map(() => [])
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
  const firstOther = grid.findIndex(row => !row.every(cell => cell.isHeader))
  const headers = grid.slice(0, Math.max(firstOther, 1))
  const width = Math.max(0, ...grid.map(row => row.length))
  const header = Array.from({ length: width }, (_, at) => headerText(headers.map(row => row[at]?.text ?? '')))
  return { header, rows: grid.slice(headers.length).map(row => Array.from(row, cell => cell?.text ?? '')) }
}

/** The label of a column: the words above each other that together name a field, else the last. */
function headerText(texts: readonly string[]): string {
  const [last = '', ...above] = [...new Set(texts)].filter(text => text !== '').toReversed()
  const isChannel = (text: string) => text.length === 1 && above.some(each => HAS_CHANNELS.has(colorKeyOf(each)))
  const whole = [...above.toReversed(), last].join(' ')
  return !isChannel(last) && colorKeyOf(whole) !== undefined ? whole : last
}

const HAS_CHANNELS: ReadonlySet<string | undefined> = new Set(['rgb', 'cmyk'])

/** The grid of a table in HTML; a first row without headers is one. */
export function gridOfHtml(table: Nodes): Grid {
  const rows = [...elementsIn(table)].filter(({ tagName }) => tagName === 'tr').map(cellsOf)
  return gridOf(rows.map(row => row.map(gridCell)))
}

export function cellsOf(row: Element): Element[] {
  return row.children
    .filter(child => child.type === 'element')
    .filter(({ tagName }) => tagName === 'th' || tagName === 'td')
}

function gridCell(cell: Element): GridCell {
  const [columns = 1, rows = 1] = ['colSpan', 'rowSpan'].map(name => spanOf(attribute(cell, name)))
  return { text: plainText(cell), columns, rows, isHeader: cell.tagName === 'th' }
}

function spanOf(text: string): number {
  return Math.min(Math.max(Number(text), 1), MAX_SPAN) || 1
}
