import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import type { Queries } from './database.ts'

/**
 * Reads a SQLite file as immutable (https://sqlite.org/uri.html): SQLite takes no lock, ignores the write-ahead log,
 * and creates no files. Data that is only in the log is not read.
 */
export async function readImmutable<Value>(path: string, work: (queries: Queries) => Promise<Value>): Promise<Value> {
  const url = pathToFileURL(path)
  url.searchParams.set('immutable', '1')
  const connection = new DatabaseSync(url, { readOnly: true })
  try {
    connection.exec('PRAGMA trusted_schema = OFF')
    return await work(queriesOf(connection))
  } finally {
    connection.close()
  }
}

function queriesOf(connection: DatabaseSync): Queries {
  return {
    get: (sql, ...values: SQLInputValue[]) => connection.prepare(sql).get(...values),
    all: (sql, ...values: SQLInputValue[]) => connection.prepare(sql).all(...values),
    run: () => {
      throw new Error('this database is open for reading only')
    },
  }
}
