import { setImmediate } from 'node:timers/promises'
import type { WorkspaceId } from '../brand/ids.ts'
import type { ProjectRecord } from '../store/catalogue.ts'
import { addContents, type Contents } from '../store/contents.ts'
import { getObject } from '../store/objects.ts'
import type { Store } from '../store/store.ts'
import { storeSink } from './store-sink.ts'

/** What carrying needs beside the store. */
export type CarryOptions = { signal: AbortSignal; progress: (done: number, total: number) => void }

/** Brings all that a project's draft and publication are made of into another workspace; within one, it is there already. */
export async function carryContent(
  store: Store,
  { workspace, draft, published }: ProjectRecord,
  target: WorkspaceId,
  { signal, progress }: CarryOptions,
): Promise<void> {
  if (workspace === target) return
  const { database, files } = store
  const sink = storeSink(store, target)
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
    await sink.text(await getObject(database, workspace, hash))
    progress(++done, total)
    if (done % MOST_AT_ONCE === 0) await setImmediate()
  }
  await sink.flush()
}

/** After so many objects, signals are heard. */
const MOST_AT_ONCE = 256
