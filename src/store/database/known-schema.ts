import { DatabaseSync } from 'node:sqlite'
import { type Queries, type Row, textOf } from './database.ts'
import { readMigrations, statementsOf } from './migrate.ts'

/**
 * The housestyle versions that have exactly the tables of this database; none if it contains anything else. A view or a
 * trigger would run its code at the first query, so this check precedes every other query.
 */
export async function versionsOfSchema(queries: Queries): Promise<number[]> {
  const schema = textsOf(await queries.all(SCHEMA))
  const versions: number[] = []
  const expected = new DatabaseSync(':memory:')
  try {
    expected.exec('CREATE TABLE migration (number INTEGER PRIMARY KEY)')
    for (const [at, migration] of (await readMigrations()).entries()) {
      for (const statement of statementsOf(migration)) expected.exec(statement)
      if (textsOf(expected.prepare(SCHEMA).all()) === schema) versions.push(at + 1)
    }
    return versions
  } finally {
    expected.close()
  }
}

const SCHEMA = 'SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name'

/** The schema without comments and spaces, which may differ from the migration that created the tables. */
function textsOf(rows: readonly Row[]): string {
  return JSON.stringify(rows.map(row => ['type', 'name', 'tbl_name', 'sql'].map(column => plainSql(row, column))))
}

function plainSql(row: Row, column: string): string | null {
  if (row[column] === null) return null
  return textOf(row, column).replace(/--.*$/gm, ' ').replace(/\s+/g, ' ')
}
