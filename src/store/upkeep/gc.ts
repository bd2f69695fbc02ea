import { setTimeout as sleep } from 'node:timers/promises'
import { isHash } from '#brand/ids.ts'
import { addBooks, removeOldBooks } from '../catalogue/books.ts'
import { recordChange } from '../catalogue/changes.ts'
import { markRevision } from '../catalogue/history.ts'
import { countObjects, listObjects, type ObjectEntry, removeObject } from '../catalogue/objects.ts'
import type { Contents, NeededContents } from '../catalogue/references.ts'
import {
  addContents,
  addFileLists,
  assertNoneDangling,
  collectContents,
  contentsOf,
  listReferences,
  mayNeedAllFiles,
  referenceText,
} from '../catalogue/references.ts'
import { type ContentLockOptions, withContentLock } from '../content-lock.ts'
import type { Lock } from '../database/locks.ts'
import type { StoredFile } from '../files/files.ts'
import type { Store } from '../store.ts'
import { StoreError } from '../store-error.ts'
import { removeKilledBackups } from '../temporary-folder.ts'
import { expiredRevisions, type Retention } from './expired-revisions.ts'
import { inOrder } from './in-order.ts'

/** The result of gc or of its dry run, as `housestyle gc --json` prints it. */
export type GcResult = {
  revisions: number
  objects: number
  files: number
  bytes: number
  /** The paths of needed files that are missing, which happens only in a damaged store. */
  missing: readonly string[]
}

export type GcOptions = Omit<ContentLockOptions, 'command'> & {
  keep: Retention
  isDryRun: boolean
  now: () => Date
  progress: (done: number, total: number) => void
  /** The time that services have to notice freed content before gc removes it. If there is nothing to remove, gc does not wait. */
  graceMs?: number
}

/**
 * Frees the revisions that are not kept, and then all unreferenced content. Drafts, publications and kept revisions stay
 * complete, even if gc is interrupted. The history keeps its entries, and the paths and hashes of their files. A damaged
 * store is left unchanged; a damaged row costs only that the revisions of its project, or the files of its workspace, stay.
 *
 * @throws {StoreError} if the catalogue is damaged, or the files are not bound to this store.
 */
export async function gc(store: Store, options: GcOptions): Promise<GcResult> {
  await assertSound(store) // Before the lock, because it reads the whole catalogue while other commands would have to wait.
  return withContentLock(store.locks, 'exclusive', { ...options, command: 'gc' }, async ({ assertHeld }) => {
    const { isDryRun, signal, graceMs = GRACE_MS } = options
    const { freed, beganAt, ...contents } = await freeRevisions(store, options)
    // From then on, services can notice the freed content.
    const noticeableAt = freed === 0 ? beganAt : performance.now()
    const objects = await unneededObjects(store, contents.needed, options)
    const { files, missing } = await unneededFiles(store, contents, signal)
    const bytes = [...objects, ...files].reduce((sum, { size }) => sum + size, 0)
    const result = { revisions: freed, objects: objects.length, files: files.length, bytes, missing }
    if (isDryRun) return result
    if (objects.length + files.length > 0)
      await sleep(Math.max(0, noticeableAt + graceMs - performance.now()), undefined, { signal })
    await removeObjects(store, objects, contents.needed, { signal, assertHeld })
    await removeFiles(store, files, { signal, assertHeld })
    await Promise.all([store.files.removeIncoming(), removeKilledBackups(store.database)])
    return result
  })
}

const GRACE_MS = 2000

/** Throws unless the catalogue is undamaged and the files are its own: only then, it lists all needed content. */
async function assertSound({ database, files, identity }: Store): Promise<void> {
  const [fault] = await database.faults()
  if (fault !== undefined)
    throw new StoreError('store_damaged', `cannot gc: the catalogue is damaged (${fault}); see \`housestyle doctor\``)
  if ((await files.owner()) === identity.urn) return
  throw new StoreError(
    'store_foreign',
    'cannot gc: the files do not name this store as their owner; see `housestyle doctor`',
  )
}

/**
 * Frees the revisions that are not kept, and collects the needed content of all others. In one transaction, so that a
 * pointer can only move to needed content. `beganAt` is after all earlier commits.
 */
async function freeRevisions(
  { database }: Store,
  { keep, isDryRun, now }: GcOptions,
): Promise<NeededContents & { freed: number; beganAt: number }> {
  return database.transaction(async queries => {
    const beganAt = performance.now()
    const references = await listReferences(queries)
    assertNoneDangling(references)
    const freed = await expiredRevisions(queries, keep, now())
    const freedTexts = new Set(freed.map(ref => referenceText({ ...ref, from: ref.number })))
    const { needed, damaged } = await collectContents(queries, {
      records: references.filter(reference => !freedTexts.has(referenceText(reference))),
      damaged: [],
    })
    await addFileLists(queries, needed)
    await addBooks(queries, needed)
    const result = { freed: freed.length, needed, damaged, beganAt }
    if (isDryRun) return result
    await removeOldBooks(queries)
    for (const ref of freed) await markRevision(queries, ref, 'freed_at', now())
    for (const workspace of new Set(freed.map(({ workspace }) => workspace))) await recordChange(queries, workspace)
    return result
  })
}

async function unneededObjects(
  { database }: Store,
  needed: ReadonlyMap<string, Contents>,
  { signal, progress }: GcOptions,
): Promise<ObjectEntry[]> {
  const total = await countObjects(database)
  const unneeded: ObjectEntry[] = []
  let done = 0
  await listObjects(database, objects => {
    signal.throwIfAborted()
    for (const object of objects) {
      const { workspace, hash } = object
      if (!(isHash(hash) && needed.get(workspace)?.objects.has(hash))) unneeded.push(object)
    }
    done += objects.length
    progress(Math.min(done, total), total)
  })
  return unneeded
}

/** The files that nothing needs, and the paths of needed ones that are missing. */
async function unneededFiles(
  { files }: Store,
  contents: NeededContents,
  signal: AbortSignal,
): Promise<{ files: StoredFile[]; missing: string[] }> {
  const notFound = new Map([...contents.needed].map(([workspace, { files }]) => [workspace, new Set(files)]))
  const unneeded: StoredFile[] = []
  for await (const file of files.listAll()) {
    signal.throwIfAborted()
    const isNeeded = notFound.get(file.workspace)?.delete(file.hash) || mayNeedAllFiles(contents, file.workspace)
    if (!isNeeded) unneeded.push(file)
  }
  const missing = [...notFound].flatMap(([workspace, hashes]) => [...hashes].map(hash => files.pathOf(workspace, hash)))
  return { files: unneeded, missing }
}

type Removal = Pick<GcOptions, 'signal'> & Pick<Lock, 'assertHeld'>

/** Removes objects in small transactions, so that no other process waits long. */
async function removeObjects(
  { database }: Store,
  objects: readonly ObjectEntry[],
  needed: NeededContents['needed'],
  { signal, assertHeld }: Removal,
): Promise<void> {
  for (let at = 0; at < objects.length; at += REMOVAL_BATCH) {
    signal.throwIfAborted()
    await database.transaction(async queries => {
      // The publication of an original stores snapshots of its translations. Known ones are not read again.
      for (const { workspace, snapshot } of await listReferences(queries))
        if (snapshot) await addContents(queries, workspace, snapshot, contentsOf(needed, workspace))
      for (const { workspace, hash } of objects.slice(at, at + REMOVAL_BATCH))
        if (!(isHash(hash) && needed.get(workspace)?.objects.has(hash))) await removeObject(queries, workspace, hash)
      await assertHeld()
    })
  }
}

const REMOVAL_BATCH = 500

/** Removes files, after what the catalogue knows about them. */
async function removeFiles(
  { database, files }: Store,
  unneeded: readonly StoredFile[],
  { signal, assertHeld }: Removal,
): Promise<void> {
  await database.transaction(async queries => {
    for (const { workspace, hash } of unneeded)
      await queries.run('DELETE FROM picture_facts WHERE workspace = ? AND hash = ?', workspace, hash)
  })
  const remove = async (file: StoredFile) => {
    signal.throwIfAborted()
    await assertHeld()
    await files.remove(file)
  }
  for await (const _ of inOrder(unneeded, remove, { slots: CONCURRENT_REMOVALS }));
}

const CONCURRENT_REMOVALS = 8
