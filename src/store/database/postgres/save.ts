import type { Client } from 'pg'
import { addRows, ROWS_AT_ONCE, tablesOf } from '../catalogue-tables.ts'
import { migrate } from '../migrate.ts'
import { openSqlite } from '../sqlite.ts'

/** Writes what is committed at one moment into a new SQLite file, table by table, some rows at a time. */
export async function saveToSqlite(client: Client, path: string): Promise<void> {
  const saved = await openSqlite(path)
  try {
    await migrate(saved)
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    for (const table of await tablesOf(saved)) {
      await client.query(`DECLARE saved CURSOR FOR SELECT ${table.columns.join(', ')} FROM ${table.name}`)
      for (;;) {
        const { rows } = await client.query(`FETCH ${ROWS_AT_ONCE} FROM saved`)
        if (rows.length === 0) break
        await saved.transaction(queries => addRows(queries, table, rows))
      }
      await client.query('CLOSE saved')
    }
    await client.query('COMMIT')
  } finally {
    await saved.close()
  }
}
