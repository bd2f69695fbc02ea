import { errorMessage } from '#platform/base/error.ts'
import { DamagedContent } from '../store-error.ts'
import type { Row } from './database.ts'

/** The records of a table that can be read, and the rows that cannot. */
export type Readable<Stored> = { records: Stored[]; damaged: DamagedContent[] }

/** The same records in another form, and the same damaged rows. */
export function mapReadable<Stored, Value>(
  { records, damaged }: Readable<Stored>,
  map: (record: Stored) => Value,
): Readable<Value> {
  return { records: records.map(record => map(record)), damaged }
}

/** Receives the rows of a table that cannot be read. The others are used all the same. */
export type ReportRows = (damaged: readonly DamagedContent[]) => void

/** The records, after a report of the damaged rows. */
export function reportDamaged<Stored>({ records, damaged }: Readable<Stored>, report?: ReportRows): Stored[] {
  report?.(damaged)
  return records
}

/** Reads rows with `readRow`; a damaged one costs only itself. */
export function readable<Stored>(rows: readonly Row[], read: (row: Row) => Stored): Readable<Stored> {
  const [records, damaged]: [Stored[], DamagedContent[]] = [[], []]
  for (const row of rows)
    try {
      records.push(read(row))
    } catch (error) {
      if (!(error instanceof DamagedContent)) throw error
      damaged.push(error)
    }
  return { records, damaged }
}

/**
 * Reads a row.
 *
 * @throws {DamagedContent} with the table, the row and the problem
 */
export function readRow<Stored>(table: string, row: Row, read: (row: Row) => Stored): Stored {
  try {
    return read(row)
  } catch (cause) {
    if (cause instanceof DamagedContent) throw cause
    throw new DamagedContent({ kind: 'row', table, key: keyOf(row), problem: problemOf(cause) }, { cause })
  }
}

/** The problem of damaged content, without the general advice. */
export function problemOf(error: unknown): string {
  return errorMessage(error).replace(/; see `housestyle doctor`$/, '')
}

/** The columns that identify a row. */
export function keyOf(row: Row): Row {
  const own = OWN_KEYS.find(column => (row[column] ?? null) !== null)
  const columns = own === undefined ? PARTS : [...PARTS.slice(0, own === 'id' ? 2 : 0), own]
  return Object.fromEntries(columns.flatMap(column => ((row[column] ?? null) === null ? [] : [[column, row[column]]])))
}

const OWN_KEYS = ['jti', 'kid', 'id']
const PARTS = ['workspace', 'project', 'number', 'reviewer', 'subject', 'day', 'kind', 'item', 'webhook', 'host']
