import type { Hash } from '../brand/ids.ts'
import type { SnapshotRoot } from '../brand/snapshot.ts'
import type { Queries } from './database.ts'
import { getObject } from './objects.ts'
import { readSnapshot } from './snapshots.ts'

/** Everything that a snapshot is made of, by hash: objects in the catalogue, and bytes of files. */
export type Contents = { objects: Set<Hash>; files: Set<Hash> }

/** Adds what a snapshot is made of, itself included. */
export async function addContents(
  queries: Queries,
  workspace: string,
  snapshot: Hash,
  contents: Contents,
): Promise<void> {
  if (contents.objects.has(snapshot)) return
  const root: SnapshotRoot = JSON.parse(new TextDecoder().decode(await getObject(queries, workspace, snapshot)))
  for (const hash of [snapshot, ...root.pages, ...root.colors, ...root.types, ...root.files]) contents.objects.add(hash)
  const reader = readSnapshot(queries, workspace, snapshot)
  for (const { content } of await reader.pages()) contents.objects.add(content)
  for (const { hash } of await reader.files()) contents.files.add(hash)
}
