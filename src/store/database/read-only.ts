import { statSync } from 'node:fs'
import { copyFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { errorCode } from '../../base/error.ts'
import type { Queries } from './database.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

/**
 * Reads a SQLite file as immutable (https://sqlite.org/uri.html): SQLite takes no lock, ignores the write-ahead log,
 * and creates no files. Data that is only in the log is not read.
 */
export async function readImmutable<Value>(path: string, work: (queries: Queries) => Promise<Value>): Promise<Value> {
  const url = pathToFileURL(path)
  url.searchParams.set('immutable', '1')
  return readFrom(new DatabaseSync(url, { readOnly: true }), work)
}

/**
 * Reads a copy of a SQLite file and its write-ahead log. Even to read the original, SQLite would create files next to
 * it, and would remove the log afterwards.
 */
export async function readCopy<Value>(path: string, work: (queries: Queries) => Promise<Value>): Promise<Value> {
  await using folder = await makeTemporaryFolder()
  const copy = join(folder.path, 'copy.db')
  await copyUnchanged(path, copy)
  return await readFrom(new DatabaseSync(copy), work)
}

async function readFrom<Value>(connection: DatabaseSync, work: (queries: Queries) => Promise<Value>): Promise<Value> {
  try {
    connection.exec('PRAGMA trusted_schema = OFF')
    return await work(queriesOf(connection))
  } finally {
    connection.close()
  }
}

/**
 * Copies the file and its log, and repeats this if another process has written to them meanwhile, because the two must
 * be consistent.
 */
async function copyUnchanged(path: string, copy: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    const before = versionsOf(path)
    await rm(`${copy}-wal`, { force: true })
    await copyIfPresent(`${path}-wal`, `${copy}-wal`)
    await copyFile(path, copy)
    if (versionsOf(path) === before || tries === MAX_TRIES) return
    await sleep(RETRY_MS)
  }
}

const MAX_TRIES = 100
const RETRY_MS = 20

function versionsOf(path: string): string {
  const stats = [path, `${path}-wal`].map(each => statSync(each, { bigint: true, throwIfNoEntry: false }))
  return stats.map(stat => (stat ? `${stat.ino} ${stat.size} ${stat.mtimeNs}` : 'none')).join(', ')
}

async function copyIfPresent(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
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
