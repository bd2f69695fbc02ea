import { setImmediate } from 'node:timers/promises'
import type { Draft } from '#brand/draft.ts'
import {
  isProjectId,
  isStoredWorkspaceId,
  isWorkspaceId,
  type ProjectId,
  type ProjectRef,
  type WorkspaceId,
} from '#brand/ids.ts'
import { ok } from '#platform/base/result.ts'
import { findProject, findWorkspace, type ProjectRecord } from '#store/catalogue/catalogue.ts'
import { addCopy, type CopyRecord, removeCopy } from '#store/catalogue/copies.ts'
import { getObject } from '#store/catalogue/objects.ts'
import { copyFacts } from '#store/catalogue/picture-facts.ts'
import { addRevision, saveDraft, saveUntranslated, saveWorkspace } from '#store/catalogue/pointers.ts'
import { addContents, type Contents } from '#store/catalogue/references.ts'
import { withContentLock } from '#store/content-lock.ts'
import type { Queries } from '#store/database/database.ts'
import type { Lock } from '#store/database/locks.ts'
import type { Store } from '#store/store.ts'
import { copyLock, undoAbandonedCopies } from './abandoned-copies.ts'
import { storeWriter } from './import/content-store.ts'
import { type EndedPlans, endPlans } from './plan.ts'
import { copyingMessage, failedWith, idleProject, isBeingCopied, isOf, type Outcome } from './project-ref.ts'
import { checkServed, updateTranslations } from './translations.ts'

/** Options of a copy; `progress` counts objects and files. */
export type CopyOptions = {
  signal: AbortSignal
  progress: (done: number, total: number) => void
  now: () => Date
  who?: string | undefined
  /** Called if the copy has to wait for another command. */
  waiting?: (message: string) => void
}

export type CopyResult = EndedPlans & {
  /** The revision of the target that serves the copy; undefined if the source was not published. */
  revision: number | undefined
  isNowPrivate: boolean
}

/**
 * Copies a project within a workspace or to another: its draft, and its published content as one new revision of the
 * target. Meanwhile source and target have the status `Processing` and keep serving their published revisions. Once all
 * content is copied, one transaction moves the pointers, so an interrupted copy changes nothing. The next command
 * removes its entry.
 */
export async function copyProject(
  store: Store,
  source: ProjectRef,
  target: ProjectRef,
  options: CopyOptions,
): Outcome<CopyResult> {
  return withContentLock(store.locks, 'shared', { ...options, command: 'copy' }, ({ assertHeld }) =>
    copyWithLock(store, source, target, { ...options, assertHeld }),
  )
}

async function copyWithLock(
  store: Store,
  source: ProjectRef,
  target: ProjectRef,
  options: CopyOptions & Pick<Lock, 'assertHeld'>,
): Outcome<CopyResult> {
  const { workspace, project } = target
  const isKnown = isStoredWorkspaceId(workspace) && (await findWorkspace(store.database, workspace)) !== undefined
  if (!(isKnown || isWorkspaceId(workspace)) || !isProjectId(project))
    return failedWith('id_invalid', `${workspace}/${project} cannot be a project: ${IDS}`)
  await undoAbandonedCopies(store)
  const copy: CopyRecord = { id: `${workspace}/${project}`, source, target }
  await using lock = await store.locks.tryAcquire(copyLock(copy.id), 'exclusive')
  if (!lock) return failedWith('project_copying', copyingMessage(target))
  const sourceRecord = await start(store, copy)
  if (!sourceRecord.ok) return sourceRecord
  try {
    await copyContent(store, sourceRecord.value, workspace, options)
    options.signal.throwIfAborted()
    return await store.database.transaction(async queries => {
      await options.assertHeld()
      return finish(queries, copy, { workspace, project }, options)
    })
  } catch (error) {
    await store.database.transaction(queries => removeCopy(queries, copy))
    throw error
  }
}

const IDS = 'write ids of a-z, 0-9 and single hyphens, at most 63 each, that the service does not use itself'

/** Records the copy, so that source and target count as being copied. Returns the source. */
async function start(store: Store, copy: CopyRecord): Outcome<ProjectRecord> {
  const { source, target } = copy
  if (isOf(source)(target))
    return failedWith('project_same', 'a project cannot be copied over itself: name another target')
  return store.database.transaction(async queries => {
    const record = await idleProject(queries, source)
    if (!record.ok) return record
    if (await isBeingCopied(queries, target)) return failedWith('project_copying', copyingMessage(target))
    await addCopy(queries, copy)
    return record
  })
}

/** Copies the content of a project's draft and publication to another workspace. Within a workspace, projects share content. */
async function copyContent(
  store: Store,
  { workspace, draft, published }: ProjectRecord,
  target: WorkspaceId,
  { signal, progress }: CopyOptions,
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
    await files.copy(workspace, target, hash)
    progress(++done, total)
  }
  for (const hash of contents.objects) {
    signal.throwIfAborted()
    await writer.text(await getObject(database, workspace, hash))
    progress(++done, total)
    if (done % OBJECTS_PER_TURN === 0) await setImmediate()
  }
  await writer.flush()
  await database.transaction(queries => copyFacts(queries, workspace, target, contents.files))
}

/** The copy yields to the event loop after this many objects, so that signals are handled. */
const OBJECTS_PER_TURN = 256

/** Moves the pointers of the target to the copied content, and ends the copy. The source may have changed meanwhile. */
async function finish(
  queries: Queries,
  copy: CopyRecord,
  target: { workspace: WorkspaceId; project: ProjectId },
  options: Pick<CopyOptions, 'now' | 'who'>,
): Outcome<CopyResult> {
  const now = options.now()
  const source = await findProject(queries, copy.source.workspace, copy.source.project)
  if (!source) throw new Error('the source of a copy is gone')
  const { workspace, project } = target
  await removeCopy(queries, copy)
  const existing = await findProject(queries, workspace, project)
  const { draft, published, untranslated } = source
  const newPublished = published && { ...published, ...strictest(published, existing?.published ?? existing?.draft) }
  const checked = newPublished ? await checkServed(queries, { workspace, project, draft: newPublished }) : ok(undefined)
  if (!checked.ok) return checked
  if (!(await findWorkspace(queries, workspace))) await saveWorkspace(queries, { id: workspace, name: workspace }, now)
  const newDraft = { ...draft, project, ...strictest(draft, existing?.draft) }
  await saveDraft(queries, workspace, newDraft, draft.snapshot, now)
  await saveUntranslated(queries, workspace, { project, ...(untranslated && { untranslated }) })
  if (!newPublished)
    return ok({ revision: undefined, isNowPrivate: false, ...(await endPlans(queries, workspace, now)) })
  const note = `Copied from ${source.workspace}/${source.project}`
  const revision = await addRevision(queries, target, newPublished, { note, who: options.who }, now)
  await updateTranslations(queries, target, options, now)
  const isNowPrivate = existing?.published?.visibility === 'public' && newPublished.visibility === 'private'
  return ok({ revision, isNowPrivate, ...(await endPlans(queries, workspace, now)) })
}

type Access = Pick<Draft, 'visibility' | 'revisions'>

/** Ensures that a copy makes nothing public: over an existing project, the result is public only if both were. */
function strictest(source: Access, target: Access | undefined): Access {
  return {
    visibility: target?.visibility === 'private' ? 'private' : source.visibility,
    revisions: target?.revisions === 'private' ? 'private' : source.revisions,
  }
}
