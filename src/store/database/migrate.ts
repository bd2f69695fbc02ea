import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { errorCode } from '#platform/base/error.ts'
import { PACKAGE } from '#platform/base/own-files.ts'
import { StoreError } from '../store-error.ts'
import type { Database, Queries } from './database.ts'
import { defineRows, number } from './table.ts'

/**
 * Migrates the tables of the catalogue to this version, in one transaction. A service may use tables of a newer version
 * if they allow it. Returns the previous version, or 0 if this call has created the tables.
 *
 * @throws {StoreError} if a newer version has changed the tables, unless a service may use them.
 */
export async function migrate(database: Database, { isService = false } = {}): Promise<number> {
  const [ownVersion, version] = [knownVersion(), await versionOf(database)]
  if (version === ownVersion) return version
  if (isService && version > ownVersion && (await oldestService(database)) <= ownVersion) return version
  return database.transaction(migrateIn)
}

/** Migrates inside a transaction. Returns the previous version of the tables. */
export async function migrateIn(queries: Queries): Promise<number> {
  const migrations = await Promise.all(migrationNames().map(name => readFile(new URL(name, FOLDER), 'utf8')))
  await queries.run('CREATE TABLE IF NOT EXISTS migration (number INTEGER PRIMARY KEY)')
  const version = await versionOf(queries)
  if (version > migrations.length) throw new StoreError('store_newer', newer(version, migrations.length))
  for (let at = version; at < migrations.length; at++) {
    for (const statement of statementsOf(migrations[at] ?? '')) await queries.run(statement)
    await queries.run('INSERT INTO migration (number) VALUES (?)', at + 1)
  }
  if (version < migrations.length) await recordOldestService(queries, migrations)
  return version
}

/**
 * The oldest version whose services may use the tables after these migrations. Each migration unknown to that version
 * has a line that names it or an older one (decisions/0378).
 */
export function oldestServiceOf(migrations: readonly string[]): number {
  const named = migrations.map((sql, at) => Number(COMPATIBLE_FROM.exec(sql)?.[1] ?? at + 1))
  const oldest = migrations.findIndex((_, at) => named.slice(at + 1).every(version => version <= at + 1))
  return oldest + 1
}

const COMPATIBLE_FROM = /^-- Services of version (\d+) and newer go on\.$/m

/** Records the oldest version as a negative number in the table of migrations, which earlier versions ignore. */
async function recordOldestService(queries: Queries, migrations: readonly string[]): Promise<void> {
  await queries.run('DELETE FROM migration WHERE number < 0')
  const oldest = oldestServiceOf(migrations)
  if (oldest < migrations.length) await queries.run('INSERT INTO migration (number) VALUES (?)', -oldest)
}

async function oldestService(queries: Queries): Promise<number> {
  const { oldest = 0 } = (await NUMBERS.one(queries, 'WHERE number < 0')) ?? {}
  return oldest < 0 ? -oldest : Number.POSITIVE_INFINITY
}

const NUMBERS = defineRows('migration', {
  oldest: number('COALESCE(MIN(number), 0) AS oldest'),
  latest: number('COALESCE(MAX(number), 0) AS latest'),
})

/** The table version of this housestyle. A store with a higher version was written by a newer housestyle. */
export function knownVersion(): number {
  return migrationNames().length
}

const FOLDER = new URL('migrations/', PACKAGE)

function migrationNames(): string[] {
  return readdirSync(FOLDER)
    .filter(name => name.endsWith('.sql'))
    .sort()
}

/** The table version of a database: the number of its migrations, or 0 if it is empty. */
export async function versionOf(queries: Queries): Promise<number> {
  try {
    return (await NUMBERS.one(queries, ''))?.latest ?? 0
  } catch (error) {
    if (errorCode(error) === UNDEFINED_TABLE || (error instanceof Error && NO_TABLE.test(error.message))) return 0
    throw error
  }
}

/** The SQLSTATE, and the message in SQLite. */
const UNDEFINED_TABLE = '42P01'
const NO_TABLE = /^no such table: migration$/

function statementsOf(sql: string): string[] {
  return sql
    .split(/;\s*$/m)
    .map(statement => statement.trim())
    .filter(statement => statement !== '')
}

function newer(version: number, ownVersion: number): string {
  return `the store was written by a newer housestyle (its tables are at ${version}, this version knows ${ownVersion}): install the newer version, or name another store`
}
