import type { Client } from 'pg'
import { addRows, selectFrom, tablesOf } from '../catalogue-tables.ts'
import { migrate } from '../migrate.ts'
import { openSqlite } from '../sqlite.ts'
import { readConsistently } from './scan.ts'

/** Writes a consistent copy of the database into a new SQLite file, table by table, in batches of rows. */
export async function saveToSqlite(client: Client, path: string): Promise<void> {
  const saved = await openSqlite(path)
  try {
    await migrate(saved)
    const tables = await tablesOf(saved)
    await readConsistently(client, async scan => {
      for (const table of tables)
        await scan(selectFrom(table), rows => saved.transaction(queries => addRows(queries, table, rows)))
    })
  } finally {
    await saved.close()
  }
}
