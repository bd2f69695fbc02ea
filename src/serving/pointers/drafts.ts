import type { MaybePromise } from '../../base/promise.ts'
import type { ProjectRef } from '../../brand/ids.ts'
import type { Caches } from '../../caches/caches.ts'
import { memoryOf } from '../../caches/memory.ts'
import { findProject, type ProjectRecord, type PublishedPointer } from '../../store/catalogue/catalogue.ts'
import type { Changes } from '../../store/catalogue/changes.ts'
import type { Queries } from '../../store/database/database.ts'

/**
 * A project whose draft is served: `published` is the draft with the date of the last change to the project, and
 * `draftOf` is the project with its own published revision, if it has one. The draft is always private.
 */
export type DraftProject = ProjectRecord & { draftOf: ProjectRecord; published: PublishedPointer }

/** The drafts that readers have requested. */
export type Drafts = {
  /** The draft of a project, which may be unpublished; undefined if there is no such project. */
  find: (ref: ProjectRef) => MaybePromise<DraftProject | undefined>
  /** The drafts of a workspace that are in memory. */
  inMemory: (workspace: string) => DraftProject[]
  /** Drops the changed drafts, which are read again when they are next requested. */
  drop: (changed: Changes['workspaces']) => void
}

/** Reads drafts on first use. */
export function openDrafts(database: Queries, caches: Caches): Drafts {
  const kept = caches.open<DraftProject>('drafts')
  return {
    find: ref => kept.get(keyOf(ref)) ?? kept.make(keyOf(ref), () => readDraft(database, ref)),
    inMemory: workspace => kept.values().filter(draft => draft.workspace === workspace),
    drop: changed =>
      kept.drop(key => {
        const [workspace = '', project = ''] = key.split('/', 2)
        const what = changed.get(workspace)
        return what === 'all' || what?.has(project) === true
      }),
  }
}

function keyOf({ workspace, project }: ProjectRef): string {
  return `${workspace}/${project}`
}

async function readDraft(
  database: Queries,
  { workspace, project }: ProjectRef,
): Promise<{ value: DraftProject; bytes: number } | undefined> {
  const record = await findProject(database, workspace, project)
  if (!record) return undefined
  const value = draftProject(record)
  return { value, bytes: memoryOf(value) }
}

/** A project as if its draft were served. */
export function draftProject(record: ProjectRecord): DraftProject {
  const { snapshot, name } = record.draft
  const { published, updatedAt } = record
  const draft: PublishedPointer = {
    revision: published?.revision ?? 0,
    snapshot,
    name,
    publishedAt: updatedAt,
    visibility: 'private',
    revisions: 'private',
  }
  return { ...record, published: draft, draftOf: record }
}
