import { existsSync } from 'node:fs'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import type { Queries } from './database.ts'

/**
 * Reads a SQLite file alone, without its log: SQLite takes it for one that nobody changes, and touches nothing beside it.
 * What is not yet moved out of the log is not seen.
 */
export async function lookAlone<Value>(path: string, work: (queries: Queries) => Promise<Value>): Promise<Value> {
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

/**
 * Reads a copy of a SQLite file and its log: even to read both, SQLite would write beside them, and clear the log away
 * afterwards. The log is copied first, so that what another process moves out of it meanwhile is in one of the two.
 */
export async function lookAtCopy<Value>(path: string, work: (queries: Queries) => Promise<Value>): Promise<Value> {
  const folder = await mkdtemp(join(tmpdir(), 'housestyle-'))
  try {
    const copy = join(folder, 'copy.db')
    if (existsSync(`${path}-wal`)) await copyFile(`${path}-wal`, `${copy}-wal`)
    await copyFile(path, copy)
    const connection = new DatabaseSync(copy)
    try {
      connection.exec('PRAGMA trusted_schema = OFF')
      return await work(queriesOf(connection))
    } finally {
      connection.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function queriesOf(connection: DatabaseSync): Queries {
  return {
    get: (sql, ...values: SQLInputValue[]) => connection.prepare(sql).get(...values),
    all: (sql, ...values: SQLInputValue[]) => connection.prepare(sql).all(...values),
    run: () => {
      throw new Error('what is only looked at is not written to')
    },
  }
}
