import type { Hash } from '../brand/ids.ts'
import type { StoredObject } from '../brand/snapshot.ts'
import { bytesOf, type Queries } from './database.ts'

/** Keeps objects of a workspace; those that are there already cost only a look. Gives how many were new. */
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

/** The bytes of an object; throws where they are missing, since a pointer to them says that they are there. */
export async function getObject(queries: Queries, workspace: string, hash: Hash): Promise<Uint8Array> {
  const row = await queries.get('SELECT bytes FROM object WHERE workspace = ? AND hash = ?', workspace, hash)
  if (!row) throw new Error(`the store has lost object ${hash} of workspace ${workspace}: restore it from a backup`)
  return bytesOf(row, 'bytes')
}
