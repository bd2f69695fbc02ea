import { ok } from '../base/result.ts'
import type { Hash, ProjectRef } from '../brand/ids.ts'
import { findProject, isServed, listProjects, type ProjectRecord } from '../store/catalogue/catalogue.ts'
import { addRevision, serveWorkspaceFields } from '../store/catalogue/pointers.ts'
import type { Queries } from '../store/database/database.ts'
import type { Store } from '../store/store.ts'
import { type CommandResult, changeProject, copyingMessage, failedWith, idleProject } from './project-ref.ts'

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

/**
 * Publishes a draft: it becomes a revision, which answers every request from then on. Without a note, it gets that of
 * its import.
 */
export function publish(
  store: Store,
  ref: ProjectRef,
  note: string | undefined,
  now: Date,
): Promise<CommandResult<PublishResult>> {
  return changeProject(store, ref, async (queries, record) => ok(await publishDraft(queries, record, note, now)))
}

/** Publishes several projects in one transaction: all of them, or none if one fails. */
export async function publishAll(
  store: Store,
  refs: readonly ProjectRef[],
  note: string | undefined,
  now: Date,
): Promise<CommandResult<PublishResult[]>> {
  return store.database.transaction(async queries => {
    const records: ProjectRecord[] = []
    for (const ref of refs) {
      const record = await idleProject(queries, ref)
      if (!record.ok) return record
      records.push(record.value)
    }
    return ok(await publishDrafts(queries, records, note, now))
  })
}

/** Publishes all projects that exist when its transaction begins; none if one of them is being copied. */
export async function publishEvery(
  store: Store,
  note: string | undefined,
  now: Date,
): Promise<CommandResult<PublishResult[]>> {
  return store.database.transaction(async queries => {
    const records = await listProjects(queries)
    const busy = records.find(({ status }) => status === 'Processing')
    return busy
      ? failedWith('project_copying', copyingMessage(busy))
      : ok(await publishDrafts(queries, records, note, now))
  })
}

async function publishDrafts(
  queries: Queries,
  records: readonly ProjectRecord[],
  note: string | undefined,
  now: Date,
): Promise<PublishResult[]> {
  const results: PublishResult[] = []
  for (const record of records) results.push(await publishDraft(queries, record, note, now))
  return results
}

async function publishDraft(
  queries: Queries,
  record: ProjectRecord,
  note: string | undefined,
  now: Date,
): Promise<PublishResult> {
  await serveWorkspaceFields(queries, record.workspace)
  const isNew = !record.published || !isServed(record.draft, record.published)
  if (isNew) await addRevision(queries, record, record.draft, note ?? record.draftNote, now)
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
