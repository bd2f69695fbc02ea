import { beginsWithLabel, valuesIn } from '#brand/styles/notation.ts'
import type { Box } from '#formats/pdf/document.ts'
import { wordSet } from '#platform/base/text.ts'
import { tableKind } from '../conversion/palettes/csv.ts'
import { textsBetween } from '../pages/color-name.ts'
import { across, boxAround, groupsOf, isBetween, lastOf, type Run, runsOf } from './boxes.ts'
import { type Line, levelsOf, splitLine } from './lines.ts'
import { type Cell, linesOutside } from './ruled-grids.ts'

/** A column with its label, which is in a row of labels. */
type Column = Box & { label: string; row: number }
/** Rows of columns whose edges are not drawn: rows of labels, and below them rows with a value, from a level of the page on. */
type Region = { heads: readonly (readonly Line[])[]; columns: readonly Column[]; from: number }

/**
 * The cells of tables of colours without rules, by row: below labels in a row, of which one names a kind of values, or in
 * rows that have values of one kind in one place.
 */
export function openGrids(lines: readonly Line[]): Cell[][][] {
  const levels = levelsOf(lines)
  const labelled = labelledRegions(levels).flatMap(region => gridsOf(region, levels))
  const others = levelsOf(linesOutside(labelled.flat(), lines))
  return [...labelled, ...likeRegions(others).flatMap(region => gridsOf(region, others))]
}

/** Regions below rows of labels. Lower labels divide the columns of those above. */
function labelledRegions(levels: readonly Line[][]): Region[] {
  const rows = levels.flatMap((level, at) =>
    partsOf(level)
      .filter(isHead)
      .map(cells => ({ cells, at })),
  )
  const groups = runsOf(rows, (run, { cells, at }) => {
    const last = lastOf(run)
    return at === last.at + 1 && across(boxAround(last.cells), boxAround(cells)) === 0
  })
  return groups.map(group => {
    const heads = group.map(({ cells }) => cells)
    const columns = heads.flatMap((cells, row) => {
      const lower = heads.slice(row + 1).flat()
      const isLowest = (cell: Line) => lower.every(other => across(cell, other) > 0)
      return cells.filter(isLowest).map(({ text, ...box }) => ({ ...box, label: text, row }))
    })
    return { heads, columns: columns.sort((a, b) => a.left - b.left), from: lastOf(group).at + 1 }
  })
}

/** Lines on a level without a very wide gap. */
function partsOf(level: readonly Line[]): Line[][] {
  return runsOf(level, (run, line) => run.some(other => across(other, line) < MAX_GAP))
}

/** Between columns, in points. */
const MAX_GAP = 150

/** Whether cells are words, of which one names a kind of values. */
function isHead(cells: readonly Line[]): boolean {
  const areWords = cells.every(({ text }) => valuesIn(text).size === 0 && !NUMBERS.has(text.slice(0, 1)))
  return areWords && cells.length > 1 && cells.some(({ text }) => namesValue(text))
}

export function namesValue(label: string): boolean {
  return tableKind(['name', label]) === 'colors' || isChannel(label)
}

function isChannel(label: string): boolean {
  return CHANNELS.has(label.toLowerCase())
}

const CHANNELS = wordSet('r g b c m y k')
/** The beginnings of numbers. */
const NUMBERS = new Set('#0123456789')

/** Regions of rows without labels: each has words, and another one has a value of one of its kinds in the same place. */
function likeRegions(levels: readonly Line[][]): Region[] {
  const rows = levels.flatMap((level, from) => {
    const cells = level.filter(cell => !isLabel(cell) && !isParagraph(cell, levels))
    return partsOf(cells)
      .filter(row => row.length > 1 && hasValue(row) && row.some(({ text }) => textsBetween(text).length > 0))
      .map(row => ({ row, from }))
  })
  const groups = groupsOf(rows, ([first], each) => isLike(first.row, each.row))
  return groups.flatMap(group => {
    const [{ from }] = group
    const columns = columnsOf(group.flatMap(({ row }) => row))
    return group.length > 1 && columns.length > 1 ? [{ heads: [], columns, from }] : []
  })
}

function hasValue(cells: readonly Line[]): boolean {
  return cells.some(({ text }) => text.length <= MAX_CELL && valuesIn(text).size > 0)
}

/** The most letters of a cell with a value. */
const MAX_CELL = 60

export function isLabel({ text }: Line): boolean {
  return beginsWithLabel(text) && valuesIn(text).size === 0
}

/** Whether the line above or below a text continues it: one without a value beside it. */
function isParagraph({ left, base, size }: Line, levels: readonly Line[][]): boolean {
  const isNear = (line: Line) =>
    line.base !== base && Math.abs(line.left - left) < 1 && Math.abs(line.base - base) < 1.6 * size
  return levels.some(level => level.some(isNear) && !hasValue(level))
}

/** Whether lines of two rows have values of one kind in one place. */
export function isLike(one: readonly Line[], other: readonly Line[]): boolean {
  const kindsIn = ({ text }: Line) => new Set(valuesIn(text).keys())
  return one.some(line => {
    const beneath = other.filter(({ left }) => Math.abs(left - line.left) < 1)
    return beneath.some(each => !kindsIn(each).isDisjointFrom(kindsIn(line)))
  })
}

/** Columns of cells that are above each other. */
function columnsOf(cells: readonly Line[]): Column[] {
  const sorted = cells.toSorted((a, b) => a.left - b.left)
  const columns = runsOf(sorted, (column, cell) => across(boxAround(column), cell) === 0)
  return columns.map(column => ({ ...boxAround(column), label: '', row: 0 }))
}

/** A row of a table: its level, and those that continue its cells. */
type Row = Run<Line[]>

/** The grids of a region: another text between rows, such as a title of the rows below, divides them. */
function gridsOf({ heads, columns, from }: Region, levels: readonly Line[][]): Cell[][][] {
  const starts = columns.slice(1).map(({ left }) => left)
  const own = levels
    .slice(from)
    .map(level => level.filter(line => columnOf(line, columns)).flatMap(line => splitLine(line, starts)))
  const all = [heads.flat(), ...own].filter(level => level.length > 0)
  const hasValues = ([level]: Readonly<Row>) => hasColumnValue(level, columns)
  const rows = runsOf(all, (row, level) => !hasValues([level]) && continuesCells(lastOf(row), level))
  const [region = []] = runsOf(rows, (above, row) => {
    const isEnd = !isNear(lastOf(lastOf(above)), row[0]) || (heads.length > 0 && isHead(row[0]))
    return !isEnd && (above.length === 1 || hasValues(lastOf(above)) || hasValues(row))
  })
  const head = headCells(heads, columns)
  const [[, ...labels] = [[]]] = region
  for (const cell of head.slice(-1).flat())
    cell.lines.push(...labels.flat().filter(line => columnOf(line, columns) === columns[cell.column]))
  const grids = runsOf(region, (grid, row) => hasValues(row) && hasValues(lastOf(grid)))
  return grids
    .filter(([row]) => hasValues(row))
    .map(grid => [...head, ...grid.map(row => cellsIn(row.flat(), columns))])
}

/** Whether a level is close below another one. */
function isNear(above: readonly Line[], level: readonly Line[]): boolean {
  return boxAround(level).bottom - boxAround(above).bottom < MAX_STEP
}

/** Between rows, in points. */
const MAX_STEP = 100

/** The column over or below a line, or near to its left. */
function columnOf(line: Line, columns: readonly Column[]): Column | undefined {
  const over = columns.find(column => across(column, line) === 0)
  return over ?? columns.findLast(column => across(column, line) < MAX_GAP / 4)
}

/** Whether a level has a value, perhaps with the label of its column. */
function hasColumnValue(level: readonly Line[], columns: readonly Column[]): boolean {
  return columns.some(column => {
    const own = level.filter(line => columnOf(line, columns) === column)
    const isNumber = isChannel(column.label) && own.some(({ text }) => NUMBERS.has(text.slice(0, 1)))
    return isNumber || hasValue([...own, ...own.map(line => ({ ...line, text: `${column.label} ${line.text}` }))])
  })
}

/** Whether all lines of a level continue one of the level above. */
function continuesCells(above: readonly Line[], level: readonly Line[]): boolean {
  const isBelow = (other: Line, line: Line) =>
    isBetween(line.base - other.base, 0, 1.7 * line.size) && across(other, line) === 0
  return level.every(line => above.some(other => isBelow(other, line)))
}

function cellsIn(lines: readonly Line[], columns: readonly Column[]): Cell[] {
  const { top, bottom } = boxAround(lines)
  return columns.map((box, column) => {
    const own = lines.filter(line => columnOf(line, columns) === box)
    return { ...boxAround([box, ...own]), top, bottom, lines: own, column, columns: 1, rows: 1 }
  })
}

/** The cells of rows of labels. One above others reaches over the columns that begin behind it, or nearest to it. */
function headCells(heads: Region['heads'], columns: readonly Column[]): Cell[][] {
  return heads.map((head, row) => {
    const isOwn = (cell: Line) => columns.some(column => column.row === row && column.left === cell.left)
    const parents = head.filter(cell => !isOwn(cell))
    const areLeft = parents.every(({ left }) => columns.some(column => Math.abs(column.left - left) < 2))
    const labelOf = (column: Column) => {
      if (column.row <= row) return head.find(({ left }) => column.row === row && left === column.left)
      const nearest = parents.toSorted((a, b) => across(a, column) - across(b, column))[0]
      return areLeft ? parents.findLast(({ left }) => left < column.left + 2) : nearest
    }
    const labels = columns.map(labelOf)
    const runs = runsOf([...columns.keys()], ([first], at) => labels[at] !== undefined && labels[first] === labels[at])
    return runs.map(([column, ...more]) => {
      const lines = labels.slice(column, column + 1).filter(line => line !== undefined)
      const box = boxAround([...lines, ...columns.slice(column, column + 1)])
      return { ...box, lines, column, columns: 1 + more.length, rows: 1 }
    })
  })
}
