import { ok } from '../base/result.ts'
import type { Hash } from '../brand/ids.ts'
import { findProject, isServed, type ProjectRecord } from '../store/catalogue/catalogue.ts'
import { addRevision, serveWorkspaceName } from '../store/catalogue/pointers.ts'
import type { Queries } from '../store/database/database.ts'
import type { Store } from '../store/store.ts'
import type { CommandResult } from './command-problem.ts'
import { idleProject, type ProjectRef } from './project-ref.ts'

/** What a publication or a rollback did, as `--json` prints it. */
export type PublishResult = {
  workspace: string
  project: string
  revision: number
  snapshot: Hash
  publishedAt: string
  /** False if the same was served already; then no revision is added. */
  changed: boolean
}

/** Freezes and serves a draft: from one moment to the next, requests are answered from the new revision. */
export async function publish(
  store: Store,
  place: ProjectRef,
  note: string | undefined,
  now: Date,
): Promise<CommandResult<PublishResult>> {
  return store.database.transaction(async queries => {
    const found = await idleProject(queries, place)
    return found.ok ? ok(await publishDraft(queries, found.value, note, now)) : found
  })
}

/** Publishes several projects at one moment: all of them, or none if one is refused. */
export async function publishAll(
  store: Store,
  places: readonly ProjectRef[],
  note: string | undefined,
  now: Date,
): Promise<CommandResult<PublishResult[]>> {
  return store.database.transaction(async queries => {
    const records: ProjectRecord[] = []
    for (const place of places) {
      const found = await idleProject(queries, place)
      if (!found.ok) return found
      records.push(found.value)
    }
    const results: PublishResult[] = []
    for (const record of records) results.push(await publishDraft(queries, record, note, now))
    return ok(results)
  })
}

async function publishDraft(
  queries: Queries,
  record: ProjectRecord,
  note: string | undefined,
  now: Date,
): Promise<PublishResult> {
  await serveWorkspaceName(queries, record.workspace)
  const isNew = !record.published || !isServed(record.draft, record.published)
  if (isNew) await addRevision(queries, record, record.draft, note, now)
  return publishResult(queries, record, isNew)
}

/** What is served now, after a command that made it so. */
export async function publishResult(queries: Queries, place: ProjectRef, changed: boolean): Promise<PublishResult> {
  const published = (await findProject(queries, place.workspace, place.project))?.published
  if (!published) throw new Error('the store did not keep a publication')
  const { revision, snapshot, publishedAt } = published
  const { workspace, project } = place
  return { workspace, project, revision, snapshot, publishedAt: publishedAt.toISOString(), changed }
}
