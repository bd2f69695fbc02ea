import { ok } from '../base/result.ts'
import type { Hash, ProjectRef } from '../brand/ids.ts'
import { findProject, isServed, listProjects, type ProjectRecord } from '../store/catalogue/catalogue.ts'
import { addRevision, type Publisher, serveWorkspaceFields } from '../store/catalogue/pointers.ts'
import type { Queries } from '../store/database/database.ts'
import type { Store } from '../store/store.ts'
import {
  type CommandResult,
  changedDraft,
  changeProject,
  copyingMessage,
  failedWith,
  idleProject,
  unapprovedDraft,
} from './project-ref.ts'
import { type Approvers, unapproved } from './review.ts'

/** The result of a publication or a rollback, as `--json` prints it. */
export type PublishResult = {
  workspace: string
  project: string
  revision: number
  snapshot: Hash
  publishedAt: string
  /** False if the same content was already published; then no revision is added. */
  changed: boolean
}

/** Who publishes with which note, and the draft that they have seen: another one is not published. */
export type PublishOptions = Publisher & { seen?: SeenDraft | undefined }

/** A draft and, if known, its settings as `draftSettings` gives them. */
type SeenDraft = { snapshot: Hash; settings?: string | undefined }

/** The settings of a draft that are not part of its snapshot. */
export function draftSettings({ draft: { visibility, revisions } }: Pick<ProjectRecord, 'draft'>): string {
  return `${visibility} ${revisions}`
}

/** Characters. */
export const MAX_NOTE = 1000

/**
 * Publishes a draft: it becomes a revision, which answers every request from then on. Without a note, it gets that of
 * its import.
 */
export function publish(
  store: Store,
  ref: ProjectRef,
  { seen, ...by }: PublishOptions,
  now: Date,
): Promise<CommandResult<PublishResult>> {
  return changeProject(store, ref, async (queries, record) =>
    seen === undefined || isSame(record, seen) ? ok(await publishDraft(queries, record, by, now)) : changedDraft(ref),
  )
}

function isSame(record: ProjectRecord, { snapshot, settings = draftSettings(record) }: SeenDraft): boolean {
  return snapshot === record.draft.snapshot && settings === draftSettings(record)
}

/** The publisher of several projects, and the people whose approval their drafts need; by default, they need none. */
export type PublishesOptions = Publisher & { approvers?: Approvers | undefined }

/** Publishes several projects in one transaction: all of them, or none if one fails or is not approved. */
export async function publishAll(
  store: Store,
  refs: readonly ProjectRef[],
  { approvers, ...by }: PublishesOptions,
  now: Date,
): Promise<CommandResult<PublishResult[]>> {
  return store.database.transaction(async queries => {
    const records: ProjectRecord[] = []
    for (const ref of refs) {
      const record = await idleProject(queries, ref)
      if (!record.ok) return record
      records.push(record.value)
    }
    const [refused] = approvers ? await unapproved(queries, records, approvers) : []
    if (refused) return unapprovedDraft(refused)
    return ok(await publishDrafts(queries, records, by, now))
  })
}

/** The publications, and the projects whose drafts are not approved. */
export type Publications = { published: PublishResult[]; skipped: readonly ProjectRef[] }

/**
 * Publishes all projects that exist when its transaction begins, or only wanted ones, and skips unapproved ones;
 * none if one of them is being copied.
 */
export async function publishEvery(
  store: Store,
  { approvers, ...by }: PublishesOptions,
  now: Date,
  isWanted: (record: ProjectRecord) => boolean = () => true,
): Promise<CommandResult<Publications>> {
  return store.database.transaction(async queries => {
    const records = (await listProjects(queries)).filter(isWanted)
    const busy = records.find(({ status }) => status === 'Processing')
    if (busy) return failedWith('project_copying', copyingMessage(busy))
    const skipped = approvers ? await unapproved(queries, records, approvers) : []
    const rest = records.filter(record => !skipped.includes(record))
    return ok({ published: await publishDrafts(queries, rest, by, now), skipped })
  })
}

async function publishDrafts(
  queries: Queries,
  records: readonly ProjectRecord[],
  by: Publisher,
  now: Date,
): Promise<PublishResult[]> {
  const results: PublishResult[] = []
  for (const record of records) results.push(await publishDraft(queries, record, by, now))
  return results
}

async function publishDraft(queries: Queries, record: ProjectRecord, by: Publisher, now: Date): Promise<PublishResult> {
  await serveWorkspaceFields(queries, record.workspace)
  const isNew = !record.published || !isServed(record.draft, record.published)
  if (isNew) await addRevision(queries, record, record.draft, { ...by, note: by.note ?? record.draftNote }, now)
  return publishResult(queries, record, isNew)
}

/** The published revision of a project, as the result of a publication or a rollback. */
export async function publishResult(queries: Queries, ref: ProjectRef, changed: boolean): Promise<PublishResult> {
  const published = (await findProject(queries, ref.workspace, ref.project))?.published
  if (!published) throw new Error('the store did not keep a publication')
  const { revision, snapshot, publishedAt } = published
  const { workspace, project } = ref
  return { workspace, project, revision, snapshot, publishedAt: publishedAt.toISOString(), changed }
}
