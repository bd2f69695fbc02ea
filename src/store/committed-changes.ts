import { readdirSync } from 'node:fs'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { groupsOf } from '#platform/base/text.ts'
import { latestChange } from './catalogue/changes.ts'
import type { Database, Queries } from './database/database.ts'
import { versionOf } from './database/migrate.ts'
import { openSqlite, readUnchanged } from './database/sqlite.ts'
import { ifPresent } from './files/files-disk.ts'
import { findUrn } from './identity.ts'
import { restoreFix } from './lost-store.ts'
import type { StorePaths } from './paths.ts'
import { LostStore, StoreError } from './store-error.ts'

/**
 * Opens the SQLite file of a catalogue. After each transaction, records the number of the latest change outside the
 * database, as the name of an empty file. This detects a lost write-ahead log, which SQLite itself does not notice
 * (decisions/0470).
 *
 * @throws {StoreError} if the database lacks committed changes, or an earlier checkout has made it
 */
export async function openCatalogue(paths: StorePaths): Promise<Database> {
  await assertOwnTables(paths)
  const database = await openSqlite(paths.database)
  try {
    return recordCommits(database, paths.committed, await checkRecord(database, paths))
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Refuses tables of an earlier checkout before opening, which may write to them. Opening reports every other problem. */
async function assertOwnTables({ database }: StorePaths): Promise<void> {
  await readUnchanged(database, versionOf).catch((error: unknown) => {
    if (error instanceof StoreError) throw error
  })
}

/**
 * Checks the record and returns its number. Reads it before the database, because another process may commit a change
 * in between.
 */
async function checkRecord(queries: Queries, paths: StorePaths): Promise<number> {
  const urn = await findUrn(queries)
  if (urn === undefined) return 0
  const recorded = Math.max(0, ...recordsIn(paths.committed, urn).map(({ number }) => number))
  const latest = await latestChange(queries)
  if (latest >= recorded) return recorded
  const what = `lacks changes that were committed: the latest one in it has number ${latest}, and number ${recorded} was committed`
  throw new LostStore('changes_lost', paths.database, what, fixFor(paths))
}

function fixFor({ folder, database, committed }: StorePaths): string {
  const accept = `to accept the loss of these changes, including token revocations, remove ${committed} and run this again`
  return `put back ${database}-wal, which holds the latest changes, or ${restoreFix(folder)}; ${accept}`
}

/** The database with transactions that record the number of their change. `latest` is the number that is recorded already. */
function recordCommits(database: Database, folder: string, latest: number): Database {
  let recorded = latest
  return {
    ...database,
    transaction: async (work, options) => {
      if (options?.durable === false) return database.transaction(work, options)
      const { value, urn, number } = await database.transaction(async queries => {
        const value = await work(queries)
        const urn = await findUrn(queries)
        return { value, urn, number: urn === undefined ? 0 : await latestChange(queries) }
      })
      if (urn !== undefined && number !== recorded) {
        recorded = number
        await tryRecord(folder, urn, number)
      }
      return value
    },
  }
}

/** Records a number if the disk allows it. The change is committed in any case, and the next one records its own number. */
async function tryRecord(folder: string, urn: string, number: number): Promise<void> {
  try {
    await record(folder, urn, number)
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
  }
}

/**
 * Records a number as the name of an empty file. Removes lower numbers only once the new one is on the disk, so that no
 * process ever lowers the highest number.
 */
async function record(folder: string, urn: string, number: number): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await using file = await open(join(folder, stateName(urn, number)), 'a', 0o600)
  await file.sync()
  await using parent = await open(folder)
  await parent.sync()
  for (const { name } of recordsIn(folder, urn).filter(each => each.number < number))
    await rm(join(folder, name), { force: true })
}

/** The records of this store. Those of others are ignored: a new store may be created in the folder of a removed one. */
function recordsIn(folder: string, urn: string): { name: string; number: number }[] {
  return (ifPresent(() => readdirSync(folder)) ?? []).flatMap(name => {
    const number = Number(groupsOf(/-(\d{1,15})$/, name)[1])
    return name === stateName(urn, number) ? [{ name, number }] : []
  })
}

/** The UUID of `urn:uuid:…`, and the number of the change. */
function stateName(urn: string, number: number): string {
  return `${urn.slice(urn.lastIndexOf(':') + 1)}-${number}`
}
