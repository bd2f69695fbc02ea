import { errorMessage } from '#platform/base/error.ts'
import { DamagedContent } from '../store-error.ts'
import type { Queries, Row } from './database.ts'

/** The records of a table that can be read, and the rows that cannot. */
export type Readable<Stored> = { records: Stored[]; damaged: DamagedContent[] }

/** Reads rows with `read`. A damaged one costs only itself, and the listeners of the database receive it. */
export function readable<Stored>(
  { listeners }: Pick<Queries, 'listeners'>,
  rows: readonly Row[],
  read: (row: Row) => Stored,
): Readable<Stored> {
  const [records, damaged]: [Stored[], DamagedContent[]] = [[], []]
  for (const row of rows)
    try {
      records.push(read(row))
    } catch (error) {
      if (!(error instanceof DamagedContent)) throw error
      damaged.push(error)
      reportDamage({ listeners }, error)
    }
  return { records, damaged }
}

export function reportDamage({ listeners }: Pick<Queries, 'listeners'>, damaged: DamagedContent): void {
  for (const listener of listeners) listener(damaged)
}

/** Collects the messages about rows that are left out from now on, each once. */
export function collectDamage({ listeners }: Pick<Queries, 'listeners'>): ReadonlySet<string> {
  const messages = new Set<string>()
  listeners.add(({ message }) => messages.add(message))
  return messages
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
