import { setTimeout as sleep } from 'node:timers/promises'
import { isHash } from '../brand/ids.ts'
import { listProjects, type ProjectRecord } from '../store/catalogue/catalogue.ts'
import { noteChange } from '../store/catalogue/changes.ts'
import { listRevisions, markRevision, type RevisionRecord } from '../store/catalogue/history.ts'
import { countObjects, listObjects, removeObject } from '../store/catalogue/objects.ts'
import type { Contents } from '../store/catalogue/references.ts'
import { assertPointing, contentsOf, listReferences, referenceText } from '../store/catalogue/references.ts'
import { type ContentLockOptions, withContentLock } from '../store/content-lock.ts'
import type { Queries } from '../store/database/database.ts'
import type { Store } from '../store/store.ts'
import { StoreError } from '../store/store-error.ts'

/** What a gc freed, as `housestyle gc --json` prints it; of a dry run, what it would free. */
export type GcResult = {
  revisions: number
  objects: number
  files: number
  bytes: number
  /** Files that are needed and are not there, by where they belong: only a broken store has any. */
  missing: readonly string[]
}

/** Which revisions are kept: the newest so many, and those of the last so many seconds. Neither: all. */
export type Keep = { count?: number; seconds?: number }

/** How a gc runs. */
export type GcOptions = Omit<ContentLockOptions, 'command'> & {
  keep: Keep
  isDryRun: boolean
  now: () => Date
  progress: (done: number, total: number) => void
  /** How long processes that serve may take to notice what is no longer served. */
  graceMs?: number
}

/**
 * Frees revisions that are not to be kept, and what nothing refers to any more: drafts, what is served and what is kept
 * are whole, even if it is interrupted. History keeps its entries. Removes nothing if the store is damaged.
 *
 * @throws {StoreError} if the catalogue is damaged, or the files do not say that they are of this store.
 */
export async function gc(store: Store, options: GcOptions): Promise<GcResult> {
  await assertSound(store) // Before others have to wait: it reads the whole catalogue.
  return withContentLock(store.locks, 'exclusive', { ...options, command: 'gc' }, async () => {
    const { isDryRun, signal, graceMs = GRACE_MS } = options
    const { freed, needed } = await freeRevisions(store, options)
    if (!isDryRun) await sleep(graceMs, undefined, { signal })
    const objects = await freeObjects(store, needed, options)
    const { missing, ...files } = await freeFiles(store, needed, options)
    if (!isDryRun) await store.files.removeIncoming()
    return { revisions: freed, objects: objects.count, files: files.count, bytes: objects.bytes + files.bytes, missing }
  })
}

const GRACE_MS = 2000

/** Only a sound catalogue of the same store can tell what nothing needs. */
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

/** What is needed is found in the same transaction: what moves later moves to what is needed already. */
async function freeRevisions(
  { database }: Store,
  { keep, isDryRun, now }: GcOptions,
): Promise<{ freed: number; needed: Map<string, Contents> }> {
  return database.transaction(async queries => {
    const all = await listReferences(queries)
    assertPointing(all)
    const freed = await surplusRevisions(queries, keep, now())
    const needed = await contentsOf(
      queries,
      all.filter(reference => !freed.has(referenceText(reference))),
    )
    if (isDryRun) return { freed: freed.size, needed }
    for (const place of freed.values()) await markRevision(queries, place, 'freed_at', now())
    for (const workspace of new Set([...freed.values()].map(({ workspace }) => workspace)))
      await noteChange(queries, workspace)
    return { freed: freed.size, needed }
  })
}

type Place = { workspace: string; project: string; number: number }

/** By what references to them are called. */
async function surplusRevisions(queries: Queries, keep: Keep, now: Date): Promise<Map<string, Place>> {
  const surplus = new Map<string, Place>()
  if (keep.count === undefined && keep.seconds === undefined) return surplus
  for (const record of await listProjects(queries)) {
    const { workspace, project } = record
    const history = await listRevisions(queries, workspace, project)
    for (const [at, revision] of history.entries()) {
      if (isKept(revision, at, record, keep, now)) continue
      const place = { workspace, project, number: revision.number }
      surplus.set(referenceText({ ...place, from: revision.number }), place)
    }
  }
  return surplus
}

function isKept(
  { number, publishedAt, freedAt }: RevisionRecord,
  at: number,
  { published }: ProjectRecord,
  { count = 0, seconds }: Keep,
  now: Date,
): boolean {
  return (
    freedAt !== undefined ||
    number === published?.revision ||
    at < count ||
    (seconds !== undefined && now.getTime() - publishedAt.getTime() < seconds * 1000)
  )
}

type Freed = { count: number; bytes: number }

/** In small transactions, so that nobody waits long for one. */
async function freeObjects(
  { database }: Store,
  needed: ReadonlyMap<string, Contents>,
  { isDryRun, signal, progress }: GcOptions,
): Promise<Freed> {
  const freed = { count: 0, bytes: 0 }
  const total = await countObjects(database)
  let done = 0
  for await (const batch of listObjects(database)) {
    signal.throwIfAborted()
    const idle = batch.filter(({ workspace, hash }) => !(isHash(hash) && needed.get(workspace)?.objects.has(hash)))
    freed.count += idle.length
    for (const { size } of idle) freed.bytes += size
    if (!isDryRun && idle.length > 0)
      await database.transaction(async queries => {
        for (const { workspace, hash } of idle) await removeObject(queries, workspace, hash)
      })
    done += batch.length
    progress(done, total)
  }
  return freed
}

async function freeFiles(
  { files }: Store,
  needed: ReadonlyMap<string, Contents>,
  { isDryRun, signal }: GcOptions,
): Promise<Freed & { missing: string[] }> {
  const freed = { count: 0, bytes: 0 }
  const unseen = new Map([...needed].map(([workspace, contents]) => [workspace, new Set(contents.files)]))
  for await (const { workspace, hash, size } of files.listAll()) {
    signal.throwIfAborted()
    if (unseen.get(workspace)?.delete(hash)) continue
    freed.count++
    freed.bytes += size
    if (!isDryRun) await files.remove(workspace, hash)
  }
  const missing = [...unseen].flatMap(([workspace, hashes]) => [...hashes].map(hash => files.pathOf(workspace, hash)))
  return { ...freed, missing }
}
