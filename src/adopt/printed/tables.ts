import type { Box } from '#brand/pdf/document.ts'
import { boxAround, type Line } from './lines.ts'

export type Table = Box & { rows: string[][]; lines: readonly Line[] }

/** Finds tables: lines that are aligned in at least two columns over at least three rows, and do not fill them. */
export function tablesOf(lines: readonly Line[]): { tables: Table[]; rest: Line[] } {
  const rows = rowsOf(lines)
  const tables: Table[] = []
  const used = new Set<Line>()
  for (let at = 0; at < rows.length; at++) {
    const part = rowsFrom(rows, at)
    if (part.length < MIN_ROWS || !isTable(part)) continue
    const all = part.flat()
    for (const line of all) used.add(line)
    tables.push({ ...boxAround(all), rows: cellsOf(part), lines: all })
    at += part.length - 1
  }
  return { tables, rest: lines.filter(line => !used.has(line)) }
}

const MIN_ROWS = 3

/** Lines on one baseline, from top to bottom. */
function rowsOf(lines: readonly Line[]): Line[][] {
  const rows: Line[][] = []
  for (const line of lines.toSorted((a, b) => a.base - b.base || a.left - b.left)) {
    const row = rows.at(-1)
    if (row?.[0] && Math.abs(row[0].base - line.base) < 0.5 * line.size) row.push(line)
    else rows.push([line])
  }
  return rows.map(row => row.toSorted((a, b) => a.left - b.left))
}

/** The rows from one on whose lines begin where those of the first begin, without a wide gap. */
function rowsFrom(rows: readonly Line[][], at: number): Line[][] {
  const [first = []] = rows.slice(at)
  if (first.length < 2) return []
  const isStart = (line: Line) => first.some(({ left }) => Math.abs(left - line.left) < 4)
  const part = [first]
  for (const row of rows.slice(at + 1)) {
    const above = part.at(-1)?.[0]
    const [line] = row
    const isNear = above && line && line.base - above.base < 4.5 * line.size
    if (!isNear || !row.every(isStart)) break
    part.push(row)
  }
  return part
}

function isTable(part: readonly Line[][]): boolean {
  const [first = []] = part
  const full = part.filter(row => row.length === first.length)
  if (full.length < MIN_ROWS || part.some(([one, ...others]) => others.some(other => !isOneSize(one, other))))
    return false
  const steps = full.slice(1).map((row, at) => ((row[0]?.base ?? 0) - (full[at]?.[0]?.base ?? 0)) / (row[0]?.size ?? 1))
  // Lines of running text are closer to each other.
  if (median(steps) < 1.6) return false
  const widths = full.flatMap(row => row.slice(0, -1).map((line, at) => (line.right - line.left) / gapTo(row, at)))
  return median(widths) < MAX_FILL
}

function isOneSize(one: Line | undefined, other: Line): boolean {
  return one !== undefined && Math.abs(one.size - other.size) < 0.25 * other.size
}

function gapTo(row: readonly Line[], at: number): number {
  return Math.max(1, (row[at + 1]?.left ?? 0) - (row[at]?.left ?? 0))
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

/** Columns of running text fill nearly their width. */
const MAX_FILL = 0.75

/** The texts of the cells; a row with fewer lines, close below another one, continues its cells. */
function cellsOf(part: readonly Line[][]): string[][] {
  const [first = []] = part
  const columnOf = (line: Line) => first.findIndex(({ left }) => Math.abs(left - line.left) < 4)
  const rows: { cells: string[]; base: number }[] = []
  for (const row of part) {
    const last = rows.at(-1)
    const [line] = row
    const isWrapped = last && line && row.length < first.length && line.base - last.base < 1.7 * line.size
    const target = isWrapped ? last : { cells: first.map(() => ''), base: 0 }
    if (!isWrapped) rows.push(target)
    target.base = line?.base ?? 0
    for (const each of row) target.cells[columnOf(each)] = `${target.cells[columnOf(each)] ?? ''} ${each.text}`.trim()
  }
  return rows.map(({ cells }) => cells)
}
