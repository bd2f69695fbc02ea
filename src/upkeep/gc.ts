import { setTimeout as sleep } from 'node:timers/promises'
import { once } from '../base/promise.ts'
import { isHash } from '../brand/ids.ts'
import { listProjects, type ProjectRecord } from '../store/catalogue/catalogue.ts'
import { recordChange } from '../store/catalogue/changes.ts'
import { listRevisions, markRevision, type RevisionRecord } from '../store/catalogue/history.ts'
import { countObjects, listObjects, removeObject } from '../store/catalogue/objects.ts'
import type { Contents } from '../store/catalogue/references.ts'
import { assertNoneDangling, contentsOf, listReferences, referenceText } from '../store/catalogue/references.ts'
import { type ContentLockOptions, withContentLock } from '../store/content-lock.ts'
import type { Queries } from '../store/database/database.ts'
import type { Lock } from '../store/database/locks.ts'
import { removeAbandonedFolders } from '../store/database/temporary-folder.ts'
import type { Files, StoredFile } from '../store/files/files.ts'
import type { Store } from '../store/store.ts'
import { StoreError } from '../store/store-error.ts'
import { inOrder } from './in-order.ts'

/** What gc has freed, or would free in a dry run, as `housestyle gc --json` prints it. */
export type GcResult = {
  revisions: number
  objects: number
  files: number
  bytes: number
  /** The paths of files that are needed but missing, as only in a damaged store. */
  missing: readonly string[]
}

/** Which revisions are kept: the newest `count`, and those of the last `seconds`. If neither is given, all. */
export type Retention = { count?: number; seconds?: number }

export type GcOptions = Omit<ContentLockOptions, 'command'> & {
  keep: Retention
  isDryRun: boolean
  now: () => Date
  progress: (done: number, total: number) => void
  /** How long services have to notice what is no longer served, before it is removed; if nothing is, nobody waits. */
  graceMs?: number
}

/**
 * Frees the revisions that are not kept, and then everything that nothing refers to. Drafts, what is served and what is
 * kept stay complete, even if gc is interrupted. The history keeps its entries. Nothing is removed if the store is damaged.
 *
 * @throws {StoreError} if the catalogue is damaged, or the files are not bound to this store.
 */
export async function gc(store: Store, options: GcOptions): Promise<GcResult> {
  await assertSound(store) // Before the lock, because it reads the whole catalogue and others would have to wait.
  return withContentLock(store.locks, 'exclusive', { ...options, command: 'gc' }, async ({ assertHeld }) => {
    const { isDryRun, signal, graceMs = GRACE_MS } = options
    const { freed, needed } = await freeRevisions(store, options)
    const foundAt = performance.now()
    const graceOver = once(() => sleep(Math.max(0, foundAt + graceMs - performance.now()), undefined, { signal }))
    const locked = { ...options, assertHeld, graceOver }
    const objects = await freeObjects(store, needed, locked)
    const { missing, ...files } = await freeFiles(store, needed, locked)
    if (!isDryRun) await Promise.all([store.files.removeIncoming(), removeAbandonedFolders()])
    return { revisions: freed, objects: objects.count, files: files.count, bytes: objects.bytes + files.bytes, missing }
  })
}

const GRACE_MS = 2000

/** Only the undamaged catalogue of the same store can say what is needed. */
async function assertSound({ database, files, identity }: Store): Promise<void> {
  const [fault] = await database.faults()
  if (fault !== undefined)
    throw new StoreError('store_damaged', `cannot gc: the catalogue is damaged (${fault}); see housestyle doctor`)
  if ((await files.owner()) === identity.urn) return
  throw new StoreError(
    'store_foreign',
    'cannot gc: the files do not say that they are of this store; see housestyle doctor',
  )
}

/** Finds what is needed in the same transaction: a pointer that moves later moves to something that is needed already. */
async function freeRevisions(
  { database }: Store,
  { keep, isDryRun, now }: GcOptions,
): Promise<{ freed: number; needed: Map<string, Contents> }> {
  return database.transaction(async queries => {
    const all = await listReferences(queries)
    assertNoneDangling(all)
    const freed = await expiredRevisions(queries, keep, now())
    const needed = await contentsOf(
      queries,
      all.filter(reference => !freed.has(referenceText(reference))),
    )
    if (isDryRun) return { freed: freed.size, needed }
    for (const ref of freed.values()) await markRevision(queries, ref, 'freed_at', now())
    for (const workspace of new Set([...freed.values()].map(({ workspace }) => workspace)))
      await recordChange(queries, workspace)
    return { freed: freed.size, needed }
  })
}

type RevisionRef = { workspace: string; project: string; number: number }

/** The revisions that are not kept, by the text of the reference to each. */
async function expiredRevisions(queries: Queries, keep: Retention, now: Date): Promise<Map<string, RevisionRef>> {
  const expired = new Map<string, RevisionRef>()
  if (keep.count === undefined && keep.seconds === undefined) return expired
  for (const record of await listProjects(queries)) {
    const { workspace, project } = record
    const history = await listRevisions(queries, workspace, project)
    for (const [at, revision] of history.entries()) {
      if (isKept(revision, at, record, keep, now)) continue
      const ref = { workspace, project, number: revision.number }
      expired.set(referenceText({ ...ref, from: revision.number }), ref)
    }
  }
  return expired
}

function isKept(
  { number, publishedAt, freedAt }: RevisionRecord,
  at: number,
  { published }: ProjectRecord,
  { count = 0, seconds }: Retention,
  now: Date,
): boolean {
  return (
    freedAt !== undefined ||
    number === published?.revision ||
    at < count ||
    (seconds !== undefined && now.getTime() - publishedAt.getTime() < seconds * 1000)
  )
}

/** Options of a gc that holds the lock on contents. Whatever removes waits for the end of the grace first. */
type LockedOptions = GcOptions & Pick<Lock, 'assertHeld'> & { graceOver: () => Promise<void> }

type Freed = { count: number; bytes: number }

/** In small transactions, so that no other process waits long. */
async function freeObjects(
  { database }: Store,
  needed: ReadonlyMap<string, Contents>,
  { isDryRun, signal, progress, assertHeld, graceOver }: LockedOptions,
): Promise<Freed> {
  const freed = { count: 0, bytes: 0 }
  const total = await countObjects(database)
  let done = 0
  for await (const batch of listObjects(database)) {
    signal.throwIfAborted()
    const unreferenced = batch.filter(
      ({ workspace, hash }) => !(isHash(hash) && needed.get(workspace)?.objects.has(hash)),
    )
    freed.count += unreferenced.length
    for (const { size } of unreferenced) freed.bytes += size
    if (!isDryRun && unreferenced.length > 0) {
      await graceOver()
      await database.transaction(async queries => {
        for (const { workspace, hash } of unreferenced) await removeObject(queries, workspace, hash)
        await assertHeld()
      })
    }
    done += batch.length
    progress(done, total)
  }
  return freed
}

async function freeFiles(
  { files }: Store,
  needed: ReadonlyMap<string, Contents>,
  { isDryRun, signal, assertHeld, graceOver }: LockedOptions,
): Promise<Freed & { missing: string[] }> {
  const freed = { count: 0, bytes: 0 }
  const notFound = new Map([...needed].map(([workspace, contents]) => [workspace, new Set(contents.files)]))
  const free = async ({ workspace, hash, size }: StoredFile) => {
    if (isDryRun) return size
    await graceOver()
    await assertHeld()
    await files.remove(workspace, hash)
    return size
  }
  for await (const size of inOrder(filesNotIn(notFound, files, signal), free, { slots: REMOVED_AT_ONCE })) {
    freed.count++
    freed.bytes += size
  }
  const missing = [...notFound].flatMap(([workspace, hashes]) => [...hashes].map(hash => files.pathOf(workspace, hash)))
  return { ...freed, missing }
}

const REMOVED_AT_ONCE = 8

/** The files that are not needed; those that are needed are taken out of the sets. */
async function* filesNotIn(
  needed: ReadonlyMap<string, Set<string>>,
  files: Files,
  signal: AbortSignal,
): AsyncGenerator<StoredFile, void> {
  for await (const file of files.listAll()) {
    signal.throwIfAborted()
    if (!needed.get(file.workspace)?.delete(file.hash)) yield file
  }
}
