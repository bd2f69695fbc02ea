import { setTimeout as sleep } from 'node:timers/promises'
import { isHash, type ProjectRef } from '../brand/ids.ts'
import { listProjects, type ProjectRecord } from '../store/catalogue/catalogue.ts'
import { recordChange } from '../store/catalogue/changes.ts'
import { listRevisions, markRevision, type RevisionRecord } from '../store/catalogue/history.ts'
import { countObjects, listObjects, type ObjectEntry, removeObject } from '../store/catalogue/objects.ts'
import type { Contents } from '../store/catalogue/references.ts'
import {
  addFileLists,
  assertNoneDangling,
  collectContents,
  listReferences,
  referenceText,
} from '../store/catalogue/references.ts'
import { type ContentLockOptions, withContentLock } from '../store/content-lock.ts'
import type { Queries } from '../store/database/database.ts'
import type { Lock } from '../store/database/locks.ts'
import type { StoredFile } from '../store/files/files.ts'
import type { Store } from '../store/store.ts'
import { StoreError } from '../store/store-error.ts'
import { removeKilledBackups } from '../store/unfinished-backups.ts'
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

/**
 * The revisions to keep: the newest `count`, and all published within `seconds` before the latest publication of their
 * project. If neither is given, all.
 */
export type Retention = { count?: number; seconds?: number }

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
 * store is left unchanged.
 *
 * @throws {StoreError} if the catalogue is damaged, or the files are not bound to this store.
 */
export async function gc(store: Store, options: GcOptions): Promise<GcResult> {
  await assertSound(store) // Before the lock, because it reads the whole catalogue while other commands would have to wait.
  return withContentLock(store.locks, 'exclusive', { ...options, command: 'gc' }, async ({ assertHeld }) => {
    const { isDryRun, signal, graceMs = GRACE_MS } = options
    const { freed, needed, beganAt } = await freeRevisions(store, options)
    const noticing = freed === 0 ? beganAt : performance.now()
    const objects = await unneededObjects(store, needed, options)
    const { files, missing } = await unneededFiles(store, needed, signal)
    const bytes = [...objects, ...files].reduce((sum, { size }) => sum + size, 0)
    const result = { revisions: freed, objects: objects.length, files: files.length, bytes, missing }
    if (isDryRun) return result
    if (objects.length + files.length > 0)
      await sleep(Math.max(0, noticing + graceMs - performance.now()), undefined, { signal })
    await removeObjects(store, objects, { signal, assertHeld })
    await removeFiles(store, files, { signal, assertHeld })
    await Promise.all([store.files.removeIncoming(), removeKilledBackups(store.database)])
    return result
  })
}

const GRACE_MS = 2000

/** Only the undamaged catalogue of the same store lists all needed content. */
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
 * Frees revisions and finds the needed content in one transaction, so a pointer that moves later can only move to needed
 * content. `beganAt`, a time of `performance.now`, is after the commits of all earlier changes.
 */
async function freeRevisions(
  { database }: Store,
  { keep, isDryRun, now }: GcOptions,
): Promise<{ freed: number; needed: Map<string, Contents>; beganAt: number }> {
  return database.transaction(async queries => {
    const beganAt = performance.now()
    const all = await listReferences(queries)
    assertNoneDangling(all)
    const freed = await expiredRevisions(queries, keep, now())
    const needed = await collectContents(
      queries,
      all.filter(reference => !freed.has(referenceText(reference))),
    )
    await addFileLists(queries, needed)
    if (isDryRun) return { freed: freed.size, needed, beganAt }
    for (const ref of freed.values()) await markRevision(queries, ref, 'freed_at', now())
    for (const workspace of new Set([...freed.values()].map(({ workspace }) => workspace)))
      await recordChange(queries, workspace)
    return { freed: freed.size, needed, beganAt }
  })
}

type RevisionRef = ProjectRef & { number: number }

/** The revisions that are not kept, keyed by the text of their reference. */
async function expiredRevisions(queries: Queries, keep: Retention, now: Date): Promise<Map<string, RevisionRef>> {
  const expired = new Map<string, RevisionRef>()
  if (keep.count === undefined && keep.seconds === undefined) return expired
  for (const record of await listProjects(queries)) {
    const { workspace, project } = record
    const history = await listRevisions(queries, workspace, project)
    const ages = revisionAges(history, now)
    for (const [at, revision] of history.entries()) {
      if (isKept(revision, { at, ageMs: ages.get(revision.number) ?? 0 }, record, keep)) continue
      const ref = { workspace, project, number: revision.number }
      expired.set(referenceText({ ...ref, from: revision.number }), ref)
    }
  }
  return expired
}

/**
 * The age of each revision in milliseconds, keyed by number: at most its true age, even if a clock was wrong. The age is
 * relative to the project's latest publication, because the clock may be ahead now. A revision whose date is implausible
 * (in the future, or before an earlier revision's date) takes the date of the next revision with a plausible one.
 *
 * @param history newest first
 */
function revisionAges(history: readonly RevisionRecord[], now: Date): Map<number, number> {
  const plausible = plausibleDates(history, now)
  const latest = Math.max(0, ...plausible.values())
  const ages = new Map<number, number>()
  let publishedBefore = latest
  for (const { number } of history) {
    publishedBefore = plausible.get(number) ?? publishedBefore
    ages.set(number, latest - publishedBefore)
  }
  return ages
}

/** The dates of revisions that are neither in the future nor before the date of an earlier revision. */
function plausibleDates(history: readonly RevisionRecord[], now: Date): Map<number, number> {
  const dates = new Map<number, number>()
  let latest = Number.NEGATIVE_INFINITY
  for (const { number, publishedAt } of history.toReversed()) {
    const date = publishedAt.getTime()
    if (date < latest || date > now.getTime()) continue
    dates.set(number, date)
    latest = date
  }
  return dates
}

function isKept(
  { number, freedAt }: RevisionRecord,
  { at, ageMs }: { at: number; ageMs: number },
  { published }: ProjectRecord,
  { count = 0, seconds }: Retention,
): boolean {
  return (
    freedAt !== undefined ||
    number === published?.revision ||
    at < count ||
    (seconds !== undefined && ageMs < seconds * 1000)
  )
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

/** The unneeded files, and the paths of needed files that are missing. */
async function unneededFiles(
  { files }: Store,
  needed: ReadonlyMap<string, Contents>,
  signal: AbortSignal,
): Promise<{ files: StoredFile[]; missing: string[] }> {
  const notFound = new Map([...needed].map(([workspace, contents]) => [workspace, new Set(contents.files)]))
  const unneeded: StoredFile[] = []
  for await (const file of files.listAll()) {
    signal.throwIfAborted()
    if (!notFound.get(file.workspace)?.delete(file.hash)) unneeded.push(file)
  }
  const missing = [...notFound].flatMap(([workspace, hashes]) => [...hashes].map(hash => files.pathOf(workspace, hash)))
  return { files: unneeded, missing }
}

type Removal = Pick<GcOptions, 'signal'> & Pick<Lock, 'assertHeld'>

/** Removes objects in small transactions, so that no other process waits long. */
async function removeObjects(
  { database }: Store,
  objects: readonly ObjectEntry[],
  { signal, assertHeld }: Removal,
): Promise<void> {
  for (let at = 0; at < objects.length; at += REMOVAL_BATCH) {
    signal.throwIfAborted()
    await database.transaction(async queries => {
      for (const { workspace, hash } of objects.slice(at, at + REMOVAL_BATCH))
        await removeObject(queries, workspace, hash)
      await assertHeld()
    })
  }
}

const REMOVAL_BATCH = 500

async function removeFiles(
  { files }: Store,
  unneeded: readonly StoredFile[],
  { signal, assertHeld }: Removal,
): Promise<void> {
  const remove = async (file: StoredFile) => {
    signal.throwIfAborted()
    await assertHeld()
    await files.remove(file)
  }
  for await (const _ of inOrder(unneeded, remove, { slots: CONCURRENT_REMOVALS }));
}

const CONCURRENT_REMOVALS = 8
