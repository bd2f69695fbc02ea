import type { Database, Queries, Row, SqlValue } from './database.ts'
import { migrateIn } from './migrate.ts'
import { openSqlite } from './sqlite.ts'
import { readTexts } from './table.ts'

type Table = { name: string; columns: readonly string[] }

/**
 * The tables of a catalogue in SQLite except the table of migrations. Referenced tables come before the tables that
 * refer to them.
 */
export async function tablesOf(sqlite: Queries): Promise<Table[]> {
  const names = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('migration') ORDER BY rowid"
  const tables: Table[] = []
  for (const name of await readTexts(sqlite, names))
    tables.push({ name, columns: await readTexts(sqlite, 'SELECT name FROM pragma_table_info(?)', name) })
  return tables
}

/** The query for all rows of a table, in SQLite order. */
export function selectFrom({ name, columns }: Table): string {
  return `SELECT ${columns.join(', ')} FROM ${name}`
}

/** Adds rows to a table, with one statement. */
export async function addRows(queries: Queries, { name, columns }: Table, rows: readonly Row[]): Promise<void> {
  const places = `(${columns.map(() => '?').join(', ')})`
  const sql = `INSERT INTO ${name} (${columns.join(', ')}) VALUES ${rows.map(() => places).join(', ')}`
  await queries.run(sql, ...rows.flatMap(row => columns.map(column => sqlValue(row, column))))
}

/** The value of a row in a column, which must be one that SQL has. */
function sqlValue(row: Row, column: string): SqlValue {
  const value = row[column]
  if (value === null || typeof value === 'string' || typeof value === 'number' || value instanceof Uint8Array)
    return value
  throw new Error(`the catalogue has ${typeof value} in column ${column}`)
}

/**
 * Copies a catalogue in SQLite, which must be up to date, into an empty database, in one transaction. Returns false if
 * the database is not empty. In that case, and if the signal aborts, nothing changes.
 */
export async function loadCatalogue(path: string, database: Database, signal: AbortSignal): Promise<boolean> {
  await using source = await openSqlite(path)
  return await database.transaction(async queries => {
    if ((await migrateIn(queries)) > 0) return false
    for (const table of await tablesOf(source))
      await source.scan(selectFrom(table), async rows => {
        signal.throwIfAborted()
        await addRows(queries, table, rows)
      })
    signal.throwIfAborted()
    return true
  })
}
