import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { errorCode } from '#platform/base/error.ts'
import { PACKAGE } from '#platform/base/own-files.ts'
import { groupsOf } from '#platform/base/text.ts'
import { StoreError } from '../store-error.ts'
import type { Database, Queries } from './database.ts'
import { defineTable, text, whole } from './table.ts'

/**
 * Migrates the tables of the catalogue to this version, in one transaction. A service may use tables of a newer version
 * if they allow it. Returns the previous version, or 0 if this call has created the tables.
 *
 * @throws {StoreError} if an earlier checkout has made the tables, or a newer version has changed them, unless a service
 * may use them
 */
export async function migrate(database: Database, { isService = false } = {}): Promise<number> {
  const ownVersion = knownVersion()
  const version = await versionOf(database)
  if (version === ownVersion) return version
  if (isService && version > ownVersion && (await allowsServicesOf(database, ownVersion))) return version
  return database.transaction(migrateIn)
}

/** Migrates inside a transaction. Returns the previous version of the tables. */
export async function migrateIn(queries: Queries): Promise<number> {
  const migrations = await Promise.all(migrationNames().map(name => readFile(new URL(name, FOLDER), 'utf8')))
  await queries.run(TABLE)
  const version = await versionOf(queries)
  if (version > migrations.length) throw new StoreError('store_newer', newer(version, migrations.length))
  for (const [at, sql] of migrations.entries()) {
    const number = at + 1
    if (number <= version) continue
    for (const statement of statementsOf(sql)) await queries.run(statement)
    const servicesFrom = Number(groupsOf(COMPATIBLE_FROM, sql)[1] ?? number)
    await MIGRATIONS.add(queries, { number, schema: SCHEMA, servicesFrom })
  }
  return version
}

/** The name of these tables. Stores whose table of migrations has no such name come from checkouts before 0.1.0. */
export const SCHEMA = 'housestyle-1'

/** The applied migrations, and for each the oldest version whose services go on after it. */
const TABLE = `CREATE TABLE IF NOT EXISTS migration (
  number INTEGER PRIMARY KEY, schema TEXT NOT NULL, services_from INTEGER NOT NULL
)`

const MIGRATIONS = defineTable('migration', {
  number: whole('number', 1),
  schema: text('schema'),
  servicesFrom: whole('services_from', 1),
})

/** The line of a migration that names the oldest version whose services go on after it. Without it, none do. */
const COMPATIBLE_FROM = /^-- Services of version (\d+) and newer go on\.$/m

/**
 * Whether services of a version may use the tables: each migration unknown to it names it or an older
 * version (decisions/0378).
 */
async function allowsServicesOf(queries: Queries, version: number): Promise<boolean> {
  return (await MIGRATIONS.all(queries, 'WHERE number > ? AND services_from > ?', version, version)).length === 0
}

/** The table version of this housestyle. A store with a higher version was written by a newer housestyle. */
export function knownVersion(): number {
  return migrationNames().length
}

const FOLDER = new URL('migrations/', PACKAGE)

/** The names of the migrations in a folder, in order: `0001-schema.sql` is number 1. Throws if a number is out of place. */
export function migrationNames(folder = FOLDER): string[] {
  const names = readdirSync(folder)
    .filter(name => name.endsWith('.sql'))
    .sort()
  for (const [at, name] of names.entries())
    if (Number.parseInt(name, 10) !== at + 1)
      throw new Error(`the migration ${name} has another number than its place, ${at + 1}`)
  return names
}

/**
 * The table version of a database: the number of its migrations, or 0 if it is empty.
 *
 * @throws {StoreError} if an earlier checkout has made its tables
 */
export async function versionOf(queries: Queries): Promise<number> {
  const rows = await migrationRows(queries)
  if (rows.some(({ schema }) => schema !== SCHEMA)) throw earlierStore('the store')
  return Math.max(0, ...rows.map(({ number }) => Number(number)))
}

/** The applied migrations; none if their table does not exist. */
async function migrationRows(queries: Queries) {
  try {
    return await queries.all('SELECT * FROM migration')
  } catch (error) {
    if (errorCode(error) === UNDEFINED_TABLE || (error instanceof Error && NO_TABLE.test(error.message))) return []
    throw error
  }
}

/** The signs that a table does not exist: the SQLSTATE of Postgres, and the message of SQLite, which has no code for it. */
const UNDEFINED_TABLE = '42P01'
const NO_TABLE = /^no such table: migration$/

/** The statements of a migration, each of which ends in a semicolon at the end of a line. */
function statementsOf(sql: string): string[] {
  return sql
    .split(/;\s*$/m)
    .map(statement => statement.trim())
    .filter(statement => statement !== '')
}

/** The refusal of a store, or a backup of one, whose tables have no name of ours. */
export function earlierStore(what: string): StoreError {
  return new StoreError('store_earlier', `cannot use ${what}: ${EARLIER}`)
}

const EARLIER =
  'it is from a checkout before housestyle 0.1.0, and nothing in it was changed; import the brand folder again into a new store, where keys, tokens, clients and links are issued anew'

export function isEarlierStore(error: unknown): boolean {
  return error instanceof StoreError && error.code === 'store_earlier'
}

function newer(version: number, ownVersion: number): string {
  return `the store was written by a newer housestyle (its tables are at ${version}, this version knows ${ownVersion}): install the newer version, or name another store`
}
