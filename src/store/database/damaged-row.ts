import { errorMessage } from '#platform/base/error.ts'
import type { MaybePromise } from '#platform/base/promise.ts'
import { DamagedColumn, DamagedRow } from '../store-error.ts'
import type { Queries, Row } from './database.ts'

/** The records of a table that can be read, and the rows that cannot. */
export type Readable<Stored> = { records: Stored[]; damaged: DamagedRow[] }

/** Reads rows with `read`. A damaged one costs only itself, and the listeners of the database receive it. */
export function readable<Stored>(
  { listeners }: Pick<Queries, 'listeners'>,
  rows: readonly Row[],
  read: (row: Row) => Stored,
): Readable<Stored> {
  const records: Stored[] = []
  const damaged: DamagedRow[] = []
  for (const row of rows)
    try {
      records.push(read(row))
    } catch (error) {
      if (!(error instanceof DamagedRow)) throw error
      damaged.push(error)
      reportDamage({ listeners }, error)
    }
  return { records, damaged }
}

/**
 * Makes a function that finds the records with a key, or throws the damaged row that has it. `keyOf` gives the key of a
 * record, and `damagedKeyOf` that of a damaged row, of which only some columns are known.
 */
export function findIn<Stored>(
  { records, damaged }: Readable<Stored>,
  keyOf: (record: Stored) => string,
  damagedKeyOf: (key: Row) => unknown,
): (key: string) => readonly Stored[] {
  const recordsByKey = Map.groupBy(records, keyOf)
  const damagedByKey = new Map(damaged.map(row => [damagedKeyOf(row.key), row]))
  return key => {
    const damagedRow = damagedByKey.get(key)
    if (damagedRow) throw damagedRow
    return recordsByKey.get(key) ?? []
  }
}

/** Tells the listeners of a database about a damaged row. */
export function reportDamage({ listeners }: Pick<Queries, 'listeners'>, damaged: DamagedRow): void {
  for (const listener of listeners) listener(damaged)
}

/** Does one job of many. A damaged row ends only this job: the listeners of the database receive it, and the result is undefined. */
export async function unlessDamaged<Value>(
  queries: Pick<Queries, 'listeners'>,
  job: () => MaybePromise<Value>,
): Promise<Value | undefined> {
  try {
    return await job()
  } catch (error) {
    if (!(error instanceof DamagedRow)) throw error
    reportDamage(queries, error)
    return undefined
  }
}

/**
 * Reads a row.
 *
 * @throws {DamagedRow} with the table, the row and the problem
 */
export function readRow<Stored>(table: string, row: Row, read: (row: Row) => Stored): Stored {
  try {
    return read(row)
  } catch (cause) {
    if (cause instanceof DamagedRow) throw cause
    const column = cause instanceof DamagedColumn ? cause.column : undefined
    throw new DamagedRow({ table, key: keyOfRow(row), problem: errorMessage(cause), column }, { cause })
  }
}

/**
 * The columns that identify a row of any table: `jti` of a token, `workspace` and `id` of a project, and `workspace`,
 * `project` and `number` of a revision. Columns without a value are left out.
 */
export function keyOfRow(row: Row): Row {
  const isFilled = (column: string) => (row[column] ?? null) !== null
  const ownKey = OWN_KEYS.find(({ column }) => isFilled(column))
  const columns = ownKey ? [...ownKey.within, ownKey.column] : PARTS
  return Object.fromEntries(columns.filter(isFilled).map(column => [column, row[column]]))
}

/** The columns that alone identify a row of their table or, `within` others, a row of several tables. */
const OWN_KEYS: readonly { column: string; within: readonly string[] }[] = [
  { column: 'jti', within: [] },
  { column: 'kid', within: [] },
  { column: 'id', within: ['workspace', 'project'] },
]
/** The columns of all other keys. */
const PARTS = ['workspace', 'project', 'number', 'reviewer', 'subject', 'day', 'kind', 'item', 'webhook', 'host']
