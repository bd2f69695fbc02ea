import type { BrandFile } from '../../brand/file.ts'
import type { Hash } from '../../brand/ids.ts'
import type { Page } from '../../brand/page.ts'
import type { SnapshotRoot } from '../../brand/snapshot.ts'
import type { Queries } from '../database/database.ts'
import { getObject } from './objects.ts'

/** Everything that snapshots of a workspace are made of, by hash: objects in the catalogue, and bytes of files. */
export type Contents = { objects: Set<Hash>; files: Set<Hash> }

/**
 * Adds what a snapshot is made of, itself included. What is known already is not read again, so the contents of a long
 * history cost what changed in it. Throws where the catalogue has lost some of it.
 */
export async function addContents(
  queries: Queries,
  workspace: string,
  snapshot: Hash,
  { objects, files }: Contents,
): Promise<void> {
  if (objects.has(snapshot)) return
  const read = async (hash: Hash) => JSON.parse(DECODER.decode(await getObject(queries, workspace, hash)))
  const root: SnapshotRoot = await read(snapshot)
  for (const chunk of root.pages) {
    if (objects.has(chunk)) continue
    const pages: Page[] = await read(chunk)
    for (const { content } of pages) objects.add(content)
    objects.add(chunk)
  }
  for (const chunk of root.files) {
    if (objects.has(chunk)) continue
    const list: BrandFile[] = await read(chunk)
    for (const { hash } of list) files.add(hash)
    objects.add(chunk)
  }
  for (const hash of [...root.colors, ...root.types, snapshot]) objects.add(hash)
}

const DECODER = new TextDecoder()
