import { verifyObjects } from '../store/catalogue/objects.ts'
import type { Database, Queries } from '../store/database/database.ts'
import { versionsOfSchema } from '../store/database/known-schema.ts'
import { knownVersion, versionOf } from '../store/database/migrate.ts'
import { damagedBackup, newerBackup } from './archive.ts'

/**
 * Checks that a catalogue has the tables of housestyle and nothing that runs by itself, before any other query.
 *
 * @throws {StoreError} if it has not.
 */
export async function assertKnownSchema(path: string, queries: Queries): Promise<void> {
  if ((await queries.get('SELECT name FROM sqlite_schema LIMIT 1')) === undefined)
    throw damagedBackup(path, 'its catalogue has no store in it')
  const versions = await versionsOfSchema(queries)
  if (versions.length === 0) throw damagedBackup(path, 'its catalogue has other tables than those of housestyle')
  const version = await versionOf(queries)
  if (version > knownVersion()) throw newerBackup(path)
  if (!versions.includes(version)) throw damagedBackup(path, 'its catalogue is of another version than its tables')
}

/** Throws if an object does not have its hash. */
export async function assertObjects(path: string, database: Database): Promise<void> {
  await verifyObjects(database, objects => {
    const altered = objects.find(({ isSound }) => !isSound)
    if (altered) throw damagedBackup(path, `object ${altered.hash} of ${altered.workspace} does not have its hash`)
  })
}
