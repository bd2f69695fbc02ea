import type { Hash } from '../../brand/ids.ts'
import type { StoredObject } from '../../brand/snapshot.ts'
import { bytesOf, numberOf, type Queries, textOf } from '../database/database.ts'

/** Stores objects of a workspace, except those that it has already. Gives how many were new. */
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

/** The bytes of an object. Throws if they are missing, which only a damaged store has. */
export async function getObject(queries: Queries, workspace: string, hash: Hash): Promise<Uint8Array> {
  const bytes = await findObject(queries, workspace, hash)
  if (!bytes) throw new Error(`the store has lost object ${hash} of workspace ${workspace}: restore it from a backup`)
  return bytes
}

export async function findObject(queries: Queries, workspace: string, hash: string): Promise<Uint8Array | undefined> {
  const row = await queries.get('SELECT bytes FROM object WHERE workspace = ? AND hash = ?', workspace, hash)
  return row && bytesOf(row, 'bytes')
}

/** An object in a list; the size is in bytes. */
export type ObjectEntry = { workspace: string; hash: string; size: number }

/** All objects, by workspace and hash, in batches. */
export async function* listObjects(queries: Queries): AsyncIterable<ObjectEntry[]> {
  let [workspace, hash] = ['', '']
  for (;;) {
    const rows = await queries.all(LIST, workspace, hash)
    const batch = rows.map(row => ({
      workspace: textOf(row, 'workspace'),
      hash: textOf(row, 'hash'),
      size: numberOf(row, 'size'),
    }))
    const last = batch.at(-1)
    if (!last) return
    yield batch
    ;({ workspace, hash } = last)
  }
}

const LIST = `SELECT workspace, hash, LENGTH(bytes) AS size FROM object WHERE (workspace, hash) > (?, ?)
  ORDER BY workspace, hash LIMIT 500`

export async function countObjects(queries: Queries): Promise<number> {
  const row = await queries.get('SELECT COUNT(*) AS count FROM object')
  return row ? numberOf(row, 'count') : 0
}

/** Removes an object, inside a transaction. Nothing may refer to it. */
export async function removeObject(queries: Queries, workspace: string, hash: string): Promise<void> {
  await queries.run('DELETE FROM object WHERE workspace = ? AND hash = ?', workspace, hash)
}
