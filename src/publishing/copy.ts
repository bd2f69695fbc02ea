import { randomUUID } from 'node:crypto'
import { isProjectId, isWorkspaceId, type ProjectId, type WorkspaceId } from '../brand/ids.ts'
import { findProject, findWorkspace, type ProjectRecord } from '../store/catalogue.ts'
import { addCopy, type CopyRecord, removeCopy } from '../store/copies.ts'
import type { Queries } from '../store/database.ts'
import { holdContents } from '../store/hold.ts'
import { addRevision, moveDraft, moveWorkspace } from '../store/pointers.ts'
import type { Store } from '../store/store.ts'
import { carryContent } from './carry.ts'
import { copying, copyLock, idleProject, type Place, type Refused, refused, undoAbandonedCopies } from './place.ts'

/** How a copy is made: `between` runs while source and target say `Processing`, after each object that is carried. */
export type CopyOptions = {
  now: () => Date
  signal: AbortSignal
  progress: (done: number, total: number) => void
  /** Told where it has to wait for another command. */
  waiting?: (message: string) => void
}

/**
 * Copies a project's draft, and what it serves as one revision of the target, within a workspace or to another. Source
 * and target say `Processing` meanwhile and serve what they served. Nothing moves until all content is carried, in one
 * transaction, so that a copy that is interrupted has changed nothing; whoever comes next removes the note of it.
 */
export async function copyProject(
  store: Store,
  source: Place,
  target: Place,
  options: CopyOptions,
): Promise<Place | Refused> {
  const { signal, waiting } = options
  const hold = { wants: 'copy', signal, ...(waiting && { waiting }) }
  return holdContents(store.locks, 'shared', hold, () => copyHeld(store, source, target, options))
}

async function copyHeld(store: Store, source: Place, target: Place, options: CopyOptions): Promise<Place | Refused> {
  const { workspace, project } = target
  if (!isWorkspaceId(workspace) || !isProjectId(project))
    return refused('id-invalid', `${workspace}/${project} cannot be a project: ids are a-z, 0-9 and single hyphens`)
  await undoAbandonedCopies(store)
  const copy: CopyRecord = { id: randomUUID(), source, target }
  const letGo = store.locks.take(copyLock(copy.id), 'exclusive')
  if (!letGo) throw new Error('a new lock is held already')
  try {
    const started = await start(store, copy)
    if ('refused' in started) return started
    try {
      await carryContent(store, started, workspace, options)
      options.signal.throwIfAborted()
      await store.database.transaction(queries => finish(queries, copy, { workspace, project }, options.now()))
    } catch (error) {
      await store.database.transaction(queries => removeCopy(queries, copy))
      throw error
    }
    return target
  } finally {
    letGo()
  }
}

async function start(store: Store, copy: CopyRecord): Promise<ProjectRecord | Refused> {
  const { source, target } = copy
  const isSame = source.workspace === target.workspace && source.project === target.project
  if (isSame) return refused('same', 'a project cannot be copied over itself: name another target')
  return store.database.transaction(async queries => {
    const record = await idleProject(queries, source)
    if ('refused' in record) return record
    const over = await findProject(queries, target.workspace, target.project)
    if (over?.status === 'Processing') return refused('copying', copying(target))
    await addCopy(queries, copy)
    return record
  })
}

async function finish(
  queries: Queries,
  copy: CopyRecord,
  target: { workspace: WorkspaceId; project: ProjectId },
  now: Date,
): Promise<void> {
  const source = await findProject(queries, copy.source.workspace, copy.source.project)
  if (!source) throw new Error('the source of a copy is gone')
  if (!(await findWorkspace(queries, target.workspace)))
    await moveWorkspace(queries, target.workspace, target.workspace, now)
  await removeCopy(queries, copy)
  const { draft, published } = source
  await moveDraft(queries, target.workspace, { ...draft, project: target.project }, draft.snapshot, now)
  const note = `Copied from ${source.workspace}/${source.project}`
  if (published) await addRevision(queries, target, published, note, now)
}
