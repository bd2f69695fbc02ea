import { addRows, selectFrom, tablesOf } from './catalogue-tables.ts'
import type { Database } from './database.ts'
import { migrateIn } from './migrate.ts'
import { openSqlite } from './sqlite.ts'

/**
 * Copies a catalogue in SQLite, which must be up to date, into an empty database, in one transaction. Returns false if
 * the database is not empty. In that case, and if the signal aborts, nothing changes.
 */
export async function loadCatalogue(path: string, database: Database, signal: AbortSignal): Promise<boolean> {
  const source = await openSqlite(path)
  try {
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
  } finally {
    await source.close()
  }
}
