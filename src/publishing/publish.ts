import { findProject, isServed } from '../store/catalogue.ts'
import type { Queries } from '../store/database.ts'
import { addRevision, serveWorkspaceName } from '../store/pointers.ts'
import type { Store } from '../store/store.ts'
import { idleProject, type Place, type Refused } from './place.ts'

/** What a publication or a rollback did, as `--json` prints it. */
export type PublishResult = {
  workspace: string
  project: string
  revision: number
  snapshot: string
  publishedAt: string
  /** False where the same was served already: then no revision is added. */
  changed: boolean
}

/** Freezes and serves a draft: from one moment to the next, requests are answered from the new revision. */
export async function publish(
  store: Store,
  place: Place,
  note: string | undefined,
  now: Date,
): Promise<PublishResult | Refused> {
  return store.database.transaction(async queries => {
    const record = await idleProject(queries, place)
    if ('refused' in record) return record
    await serveWorkspaceName(queries, record.workspace)
    const isNew = !record.published || !isServed(record.draft, record.published)
    if (isNew) await addRevision(queries, record, record.draft, note, now)
    return publishResult(queries, place, isNew)
  })
}

/** What is served now, after a command that made it so. */
export async function publishResult(queries: Queries, place: Place, changed: boolean): Promise<PublishResult> {
  const published = (await findProject(queries, place.workspace, place.project))?.published
  if (!published) throw new Error('the store did not keep a publication')
  const { revision, snapshot, publishedAt } = published
  const { workspace, project } = place
  return { workspace, project, revision, snapshot, publishedAt: publishedAt.toISOString(), changed }
}
