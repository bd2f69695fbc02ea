import { colorKeyOf, namesScreenValue, valuesIn } from '#brand/styles/notation.ts'
import type { Box } from '#formats/pdf/document.ts'
import type { PdfPage, Shape } from '#formats/pdf/page.ts'
import { tableKind } from '../conversion/palettes/csv.ts'
import { readValueTable } from '../conversion/palettes/value-table.ts'
import { findName, textsBetween, withoutValues } from '../pages/color-name.ts'
import { gridOfRows, headerOf, spreadTexts, uprightRows } from '../pages/grid.ts'
import { boxAround, itemsIn, runsOf, shortSide } from './boxes.ts'
import { fillAt } from './fill.ts'
import { joinLines } from './layout.ts'
import { byBase, type Line } from './lines.ts'
import { namesValue, openGrids } from './open-grids.ts'
import { type Cell, linesOutside, ruledGrids } from './ruled-grids.ts'

/** A cell of a table on a page. */
type TableCell = { text: string; columns: number; rows: number; isHeader: boolean }

/** A table of colours as printed. `fills` are the colours of swatches in rows without a screen value, by name. */
export type Table = Box & { rows: TableCell[][]; fills: ReadonlyMap<string, string> }

type TextCell = Cell & { text: string }
type Grid = readonly (readonly TextCell[])[]

/** Finds the tables on a page: all between rules, and colours also without. */
export function tablesOf(page: PdfPage, lines: readonly Line[]): { tables: Table[]; rest: Line[] } {
  const drawn = ruledGrids(page.shapes, lines)
  const ruled = drawn.flatMap(gridsIn)
  const taken = new Set(ruled.flat(2).map(({ lines }) => lines))
  const plain = drawn.filter(
    grid => !grid.flat().some(cell => taken.has(cell.lines)) && isPlainTable(grid, page.shapes),
  )
  const others = linesOutside([...ruled, ...plain].flat(), lines)
  const open = openGrids(others).flatMap(gridsIn)
  const tables = [...ruled, ...open].map(grid => tableOf(grid, page.shapes, lines))
  return { tables: [...tables, ...plain.map(plainTable)], rest: linesOutside(open.flat(), others) }
}

/** Whether at least half of the cells between rules have text, and none has a picture. */
function isPlainTable(grid: readonly (readonly Cell[])[], shapes: readonly Shape[]): boolean {
  const cells = grid.flat()
  const isDrawing = (shape: Shape) => !shape.isPlain && shortSide(shape) > MAX_RULE
  const isEmpty = itemsIn(shapes.filter(isDrawing), boxAround(cells)).length === 0
  return isEmpty && 2 * cells.filter(cell => cell.lines.length > 0).length >= cells.length
}

/** In points. */
const MAX_RULE = 3

/** The table in a plain grid, whose first row has the labels. */
function plainTable(grid: readonly (readonly Cell[])[]): Table {
  const rows = grid.map((row, at) =>
    row.map(({ lines, columns, rows }) => ({ text: textOf({ lines }), columns, rows, isHeader: at === 0 })),
  )
  return { ...boxAround(grid.flat()), rows, fills: new Map() }
}

/** The tables in a grid: a cell over the whole width is the title of the rows below it, which have the same labels. */
function gridsIn(cells: readonly (readonly Cell[])[]): Grid[] {
  const grid: Grid = cells.map(row => row.map(cell => ({ ...cell, text: textOf(cell) })))
  const isTitle = (row: readonly Cell[]) => row.length === 1
  const parts = runsOf(grid, (run, row) => isTitle(row) === run.every(isTitle)).filter(part => !part.every(isTitle))
  const head = labelRows(parts[0] ?? [])
  // Labels that are repeated are where the rows are.
  const headOf = (part: Grid) => head.map(row => row.map(cell => ({ ...cell, ...boxAround(part.flat()) })))
  const isLabelled = (part: Grid, at: number) => at === 0 || part[0]?.some(({ text }) => namesValue(text))
  const labelled = parts.map((part, at) => (isLabelled(part, at) ? part : [...headOf(part), ...part]))
  return labelled.flatMap(sideBySide).filter(isTable)
}

/** The rows of labels above rows with values. */
function labelRows(grid: Grid): Grid {
  const texts = spreadTexts(grid)
  const { rows } = gridOfRows(texts)
  return texts[0]?.some(hasValue) ? [] : grid.slice(0, texts.length - rows.length)
}

function hasValue(text: string): boolean {
  return valuesIn(text).size > 0
}

function textOf({ lines }: Pick<Cell, 'lines'>): string {
  const text = joinLines(lines.toSorted(byBase))
  // Labels before values may end with a colon.
  return text.endsWith(':') ? text.slice(0, -1) : text
}

/** Divides tables side by side, where another column has the same kind of values. */
function sideBySide(grid: Grid): Grid[] {
  if (isTurned(grid)) return [grid]
  const kinds = kindsOf(grid)
  const again = kinds.findIndex((own, at) => own.some(kind => kinds.slice(0, at).flat().includes(kind)))
  const cut = kinds.findLastIndex((own, at) => at < again && own.length > 0) + 1
  // Columns beside each other have labels, such as two of CMYK, or are colours.
  if (cut >= again) return again === -1 || labelRows(grid).length > 0 ? [grid] : []
  return [columnsOf(grid, 0, cut), columnsOf(grid, cut, kinds.length)].flatMap(sideBySide)
}

/** The kinds of values of each column: the one that its label names, else those in its cells. */
function kindsOf(grid: Grid): string[][] {
  const head = labelRows(grid)
  const [labels, rows] = [headerOf(spreadTexts(head)), spreadTexts(grid.slice(head.length))]
  const width = Math.max(labels.length, ...rows.map(row => row.length))
  return Array.from({ length: width }, (_, at) => {
    const label = labels[at] ?? ''
    const kinds = rows.flatMap(row => [...valuesIn(row[at] ?? '').keys()])
    return namesValue(label) ? [colorKeyOf(label) ?? label] : [...new Set(kinds)]
  })
}

function columnsOf(grid: Grid, from: number, to: number): Grid {
  const own = (row: Grid[number]) => row.filter(({ column }) => column >= from && column < to)
  return grid.map(row =>
    own(row).map(cell => ({
      ...cell,
      column: cell.column - from,
      columns: Math.min(cell.columns, to - cell.column),
    })),
  )
}

/** Whether a grid has colours or type styles, and text in at least half of its cells. */
function isTable(grid: Grid): boolean {
  const texts = spreadTexts([...titlesOf(grid), ...grid])
  const { header, rows } = gridOfRows(uprightRows(texts))
  const cells = rows.flat()
  const isFilled = 2 * cells.filter(text => text !== '').length >= Math.max(1, cells.length)
  const hasColors = header.some(namesValue) && cells.some(text => textsBetween(text).length > 0)
  const isOf = hasColors || tableKind(header) === 'types' || readValueTable({ header, rows }, new Map()).length > 0
  return header.length > 1 && isFilled && isOf
}

/** A row of labels for a grid without one: the kinds of columns with one kind of values, a name and a usage. */
function titlesOf(grid: Grid): Grid {
  if (labelRows(grid).length > 0) return []
  const rows = spreadTexts(grid)
  const columns = kindsOf(grid).map(([kind = '', ...more], at) => {
    const texts = rows.map(row => row[at] ?? '').filter(text => text !== '')
    const areBare = texts.every(text => withoutValues(text) === '' || !hasValue(text))
    return { texts, title: areBare && more.length === 0 ? kind : '' }
  })
  const name = findName(columns.filter(({ title }) => title === ''))
  const usage = columns.find(column => column !== name && !column.texts.some(hasValue))
  const titles = new Map([[usage, 'Usage'] as const, [name, 'Name'] as const])
  const box = boxAround(grid.slice(0, 1).flat())
  return [
    columns.map((each, column) => {
      const text = titles.get(each) ?? each.title
      return { ...box, lines: [], text, column, columns: 1, rows: 1 }
    }),
  ]
}

/** The table in a grid, with the fills of swatches in rows without a value for screens. */
function tableOf(grid: Grid, shapes: readonly Shape[], lines: readonly Line[]): Table {
  const head = labelRows(grid)
  const labels = headerOf(spreadTexts(head))
  const body = grid.slice(head.length)
  const fills = body.map(row => (isTurned(grid) || isOnScreen(row, labels) ? undefined : swatchOf(row, shapes, lines)))
  const named = body.flatMap((row, at): [string, string][] => {
    const candidates = row.map(({ text, column }) => ({ texts: [text], label: labels[column] ?? '' }))
    const [name = ''] = findName(candidates)?.texts ?? []
    const fill = fills[at]
    return fill === undefined ? [] : [[name, fill]]
  })
  const hexColumn = labels.findIndex(label => colorKeyOf(label) === 'hex')
  const isAdded = named.length > 0 && hexColumn === -1
  const withHex = (row: Grid[number], text: string, isHeader: boolean): TableCell[] => {
    const isGap = (cell: TextCell) => cell.column === hexColumn && cell.text === ''
    const cells = row.map(cell => {
      const { columns, rows } = cell
      return { columns, rows, text: isGap(cell) ? text : cell.text, isHeader }
    })
    return isAdded ? [...cells, { text, columns: 1, rows: 1, isHeader }] : cells
  }
  const headers = [...titlesOf(grid), ...head].map((row, at) => withHex(row, at === 0 ? 'Hex' : '', true))
  const rows = body.map((row, at) => withHex(row, fills[at] ?? '', false))
  return { ...boxAround(grid.flat()), rows: [...headers, ...rows], fills: new Map(named) }
}

function isTurned(grid: Grid): boolean {
  const texts = spreadTexts(grid)
  return uprightRows(texts) !== texts
}

/** Whether a row has a value for screens, or a channel of one. */
function isOnScreen(row: Grid[number], labels: readonly string[]): boolean {
  const isScreenLabel = (label = '') => namesScreenValue(label) || label.toLowerCase() === 'r'
  const hasScreenValue = (text: string) => [...valuesIn(text).keys()].some(namesScreenValue)
  return row.some(({ text, column }) => text !== '' && (isScreenLabel(labels[column]) || hasScreenValue(text)))
}

/** The fill of the swatch in a row, which is not as wide as the row. */
function swatchOf(row: Grid[number], shapes: readonly Shape[], lines: readonly Line[]): string | undefined {
  const box = boxAround(row)
  const own = row.flatMap(cell => cell.lines)
  const bounds = new Set(own.map(({ base }) => base))
  const others = lines.filter(({ base }) => !bounds.has(base))
  const isNarrow = ({ left, right }: Shape) => right - left < 0.8 * (box.right - box.left)
  return fillAt({ box, own, others, shapes: shapes.filter(isNarrow) })
}
