import type { Span } from '#formats/markdown/link-syntax.ts'
import { withoutCode } from '#formats/markdown/page-blocks.ts'
import type { DocumentContent } from '../document.ts'

/** A page whose parts may be empty, and the lines of its source on which something was lost or became something else, in order. */
export type EmptiedPage = Pick<DocumentContent, 'text' | 'lines'> & {
  changed: readonly number[]
  isChanged: (span: Span) => boolean
}

/** A part of a page that shows nothing: its spans, what it is, and the words that it still says, else its source. */
export type Emptied = { spans: readonly Span[]; what: string; said: string }

/** The columns of tables in Markdown with nothing below their heads. A table without rows goes whole. */
export function emptiedColumns({ text, isChanged }: EmptiedPage): Emptied[] {
  const tables = Array.from(withoutCode(text).matchAll(TABLE), ({ index, 0: source }) => tableAt(index, source))
  return tables.filter(isChanged).flatMap(table => {
    const [head = [], ...others] = table.rows
    const body = others.slice(1)
    const isEmpty = (_: Cell, column: number) => body.every(row => row[column]?.isEmpty ?? true)
    const columns = new Set(head.filter(isEmpty).map(cell => head.indexOf(cell)))
    if (columns.size === 0) return []
    const cells = table.rows.flatMap(row => row.filter((_, column) => columns.has(column)))
    const isWhole = columns.size === head.length
    const said = head.filter(cell => cells.includes(cell)).map(({ start, end }) => text.slice(start, end))
    return {
      spans: isWhole ? [table] : cells,
      what: `${isWhole ? 'table' : 'column'} whose content is lost`,
      said: said.map(words => words.replace(/\|$/, '').trim()).join(', '),
    }
  })
}

/** A head with `|`, a line of dashes, and rows with `|`. */
const TABLE = /^(?=.*\|).+\n(?=.*--)(?=.*\|)[ \t>|:-]+$(?:\n(?=.*\|).+)*/gm

/** A cell with the sign after it. */
type Cell = Span & { isEmpty: boolean }

function tableAt(start: number, source: string): Span & { rows: Cell[][] } {
  let at = start
  const rows = source.split('\n').map(line => {
    const cells = cellsIn(line, at)
    at += line.length + 1
    return cells
  })
  return { start, end: start + source.length, rows }
}

function cellsIn(line: string, start: number): Cell[] {
  const cells = Array.from(line.trimEnd().matchAll(CELL), ({ index, 0: words }) => ({
    start: start + index,
    end: start + index + words.length,
    isEmpty: !/[^\s|]/.test(words.replace('<br>', '')),
  }))
  const hasMark = BEFORE_CELLS.test(line)
  return cells.slice(Number(hasMark)).filter(cell => cell.end > cell.start)
}

const CELL = /(?:\\\||[^|])*(?:\||$)/g
/** The marks of quotations and lists before the first sign of a row. */
const BEFORE_CELLS = /^(?:[>\s]|[-*+]\s)*\|/
