import type { Hash } from '#brand/ids.ts'
import { hashOf, type StoredObject } from '#brand/snapshot.ts'
import type { MaybePromise } from '#platform/base/promise.ts'
import type { Database, Queries } from '../database/database.ts'
import { bytes, defineRows, number, type RecordOf, text } from '../database/table.ts'
import { DamagedContent } from '../store-error.ts'

/** Stores objects of a workspace, unless it already has them. Returns the number of new objects. */
export async function putObjects(
  queries: Queries,
  workspace: string,
  objects: Iterable<StoredObject>,
): Promise<number> {
  let added = 0
  for (const { hash, bytes } of objects) {
    added += await queries.run(
      'INSERT INTO object (workspace, hash, bytes) VALUES (?, ?, ?) ON CONFLICT (workspace, hash) DO NOTHING',
      workspace,
      hash,
      bytes,
    )
  }
  return added
}

/**
 * The bytes of an object.
 *
 * @throws {DamagedContent} if they are missing or do not have its hash
 */
export async function getObject(queries: Queries, workspace: string, hash: Hash): Promise<Uint8Array> {
  return (await findObject(queries, workspace, hash)) ?? lost(workspace, hash)
}

/**
 * The number of objects that are read in one query and one step. Each has at most a mebibyte, and most have a few
 * kilobytes.
 */
export const OBJECTS_AT_ONCE = 8

/**
 * The bytes of at most `OBJECTS_AT_ONCE` objects, in the order of their hashes.
 *
 * @throws {DamagedContent} if an object is missing or its bytes do not have its hash
 */
export async function getObjects(
  queries: Queries,
  workspace: string,
  hashes: readonly Hash[],
): Promise<readonly Uint8Array[]> {
  const [first] = hashes
  if (first === undefined) return []
  // Filled up with the first hash, so that the statement always has the same parameters.
  const padded = Array.from({ length: OBJECTS_AT_ONCE }, (_, at) => hashes[at] ?? first)
  const objects = await OBJECTS.all(queries, AMONG, workspace, ...padded)
  const bytesByHash = new Map(objects.map(({ hash, bytes }) => [hash, bytes]))
  return hashes.map(hash => verify(workspace, hash, bytesByHash.get(hash) ?? lost(workspace, hash)))
}

/** The condition for `OBJECTS_AT_ONCE` hashes: one statement, which databases prepare once. */
const AMONG = `WHERE workspace = ? AND hash IN (${Array(OBJECTS_AT_ONCE).fill('?').join(', ')})`

const KEY = { workspace: text('workspace'), hash: text('hash') }
const OBJECTS = defineRows('object', { ...KEY, bytes: bytes('bytes') })
const KEYS = defineRows('object', KEY)
const OBJECT_SIZES = defineRows('object', { ...KEY, size: number('LENGTH(bytes) AS size') })

/** Throws that an object is missing. */
function lost(workspace: string, hash: Hash): never {
  throw new DamagedContent({ kind: 'object', workspace, hash }, { isMissing: true })
}

/** Returns bytes that have their hash. SQLite and Postgres notice most damage to their pages, but not a changed byte in a value. */
function verify(workspace: string, hash: string, bytes: Uint8Array): Uint8Array {
  if (hashOf(bytes) !== hash) throw new DamagedContent({ kind: 'object', workspace, hash })
  return bytes
}

/**
 * The bytes of an object; undefined if there is none.
 *
 * @throws {DamagedContent} if they do not have its hash
 */
export async function findObject(queries: Queries, workspace: string, hash: string): Promise<Uint8Array | undefined> {
  const object = await OBJECTS.one(queries, 'WHERE workspace = ? AND hash = ?', workspace, hash)
  return object && verify(workspace, hash, object.bytes)
}

/** An object in a list; the size is in bytes. */
export type ObjectEntry = RecordOf<typeof OBJECT_SIZES>

/** Lists all objects in batches. */
export function listObjects(database: Database, visit: (objects: ObjectEntry[]) => MaybePromise<void>): Promise<void> {
  return OBJECT_SIZES.scan(database, '', visit)
}

/**
 * Lists the keys of all objects from the index, as requests find them. In a damaged database, the index may have keys
 * without rows.
 */
export function listKeys(
  database: Database,
  visit: (keys: RecordOf<typeof KEYS>[]) => MaybePromise<void>,
): Promise<void> {
  return KEYS.scan(database, 'ORDER BY workspace, hash', visit)
}

/** Lists all objects in batches, and checks whether their bytes have their hash. */
export function verifyObjects(
  database: Database,
  visit: (objects: VerifiedObject[]) => MaybePromise<void>,
): Promise<void> {
  return OBJECTS.scan(database, '', objects =>
    visit(objects.map(({ bytes, ...key }) => ({ ...key, isSound: hashOf(bytes) === key.hash }))),
  )
}

type VerifiedObject = RecordOf<typeof KEYS> & { isSound: boolean }

export async function countObjects(queries: Queries): Promise<number> {
  return (await COUNT.one(queries, ''))?.count ?? 0
}

const COUNT = defineRows('object', { count: number('COUNT(*) AS count') })

/** Removes an object, inside a transaction. Nothing may refer to it. */
export async function removeObject(queries: Queries, workspace: string, hash: string): Promise<void> {
  await queries.run('DELETE FROM object WHERE workspace = ? AND hash = ?', workspace, hash)
}
