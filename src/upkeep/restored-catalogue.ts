import { verifyObjects } from '../store/catalogue/objects.ts'
import type { Database, Queries } from '../store/database/database.ts'
import { versionsOfSchema } from '../store/database/known-schema.ts'
import { knownVersion, versionOf } from '../store/database/migrate.ts'
import { damagedBackup, newerBackup } from './archive.ts'

/**
 * Checks that a catalogue has exactly the tables of a housestyle store, without triggers or views. Call before any other
 * query.
 *
 * @throws {StoreError} if it does not.
 */
export async function assertKnownSchema(path: string, queries: Queries): Promise<void> {
  if ((await queries.get('SELECT name FROM sqlite_schema LIMIT 1')) === undefined)
    throw damagedBackup(path, 'its catalogue contains no store')
  const versions = await versionsOfSchema(queries)
  if (versions.length === 0) throw damagedBackup(path, 'its catalogue has other tables than a housestyle store')
  const version = await versionOf(queries)
  if (version > knownVersion()) throw newerBackup(path)
  if (!versions.includes(version)) throw damagedBackup(path, 'the version of its catalogue does not match its tables')
}

/** Throws if an object does not match its hash. */
export async function assertObjects(path: string, database: Database): Promise<void> {
  await verifyObjects(database, objects => {
    const altered = objects.find(({ isSound }) => !isSound)
    if (altered) throw damagedBackup(path, `object ${altered.hash} of ${altered.workspace} does not match its hash`)
  })
}
