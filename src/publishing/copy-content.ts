import { setImmediate } from 'node:timers/promises'
import type { WorkspaceId } from '../brand/ids.ts'
import type { ProjectRecord } from '../store/catalogue/catalogue.ts'
import { addContents, type Contents } from '../store/catalogue/contents.ts'
import { getObject } from '../store/catalogue/objects.ts'
import type { Store } from '../store/store.ts'
import { storeWriter } from './import/content-store.ts'

/** What carrying needs beside the store. */
export type CopyContentOptions = { signal: AbortSignal; progress: (done: number, total: number) => void }

/** Brings all that a project's draft and publication are made of into another workspace; within one, it is there already. */
export async function copyContent(
  store: Store,
  { workspace, draft, published }: ProjectRecord,
  target: WorkspaceId,
  { signal, progress }: CopyContentOptions,
): Promise<void> {
  if (workspace === target) return
  const { database, files } = store
  const writer = storeWriter(store, target)
  const contents: Contents = { objects: new Set(), files: new Set() }
  await addContents(database, workspace, draft.snapshot, contents)
  if (published) await addContents(database, workspace, published.snapshot, contents)
  const total = contents.files.size + contents.objects.size
  let done = 0
  for (const hash of contents.files) {
    signal.throwIfAborted()
    await files.carry(workspace, target, hash)
    progress(++done, total)
  }
  for (const hash of contents.objects) {
    signal.throwIfAborted()
    await writer.text(await getObject(database, workspace, hash))
    progress(++done, total)
    if (done % MAX_AT_ONCE === 0) await setImmediate()
  }
  await writer.flush()
}

/** After so many objects, signals are heard. */
const MAX_AT_ONCE = 256
