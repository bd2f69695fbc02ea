import { addRows, ROWS_AT_ONCE, type Table, tablesOf } from './catalogue-tables.ts'
import { type Database, numberOf, type Queries, type Row } from './database.ts'
import { migrateIn } from './migrate.ts'
import { openSqlite } from './sqlite.ts'

/**
 * Fills an empty database with all that a catalogue in SQLite has, in one transaction. The catalogue is up to date. False if
 * the database is not empty; then nothing is changed, nor if the signal aborts.
 */
export async function loadCatalogue(path: string, database: Database, signal: AbortSignal): Promise<boolean> {
  const source = await openSqlite(path)
  try {
    return await database.transaction(async queries => {
      if ((await migrateIn(queries)) > 0) return false
      for (const table of await tablesOf(source))
        for await (const rows of rowsOf(source, table)) {
          signal.throwIfAborted()
          await addRows(queries, table, rows)
        }
      signal.throwIfAborted()
      return true
    })
  } finally {
    await source.close()
  }
}

async function* rowsOf(sqlite: Queries, { name, columns }: Table): AsyncGenerator<Row[]> {
  const sql = `SELECT rowid AS row_number, ${columns.join(', ')} FROM ${name} WHERE rowid > ? ORDER BY rowid LIMIT ${ROWS_AT_ONCE}`
  let last = Number.MIN_SAFE_INTEGER
  for (;;) {
    const rows = await sqlite.all(sql, last)
    const end = rows.at(-1)
    if (!end) return
    yield rows
    last = numberOf(end, 'row_number')
  }
}
