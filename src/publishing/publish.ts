import { findProject, type ProjectRecord } from '../store/catalogue.ts'
import { publishDraft } from '../store/pointers.ts'
import type { Store } from '../store/store.ts'

/** What a publication did, as `housestyle publish --json` prints it. */
export type PublishResult = {
  workspace: string
  project: string
  revision: number
  snapshot: string
  publishedAt: string
  /** False where the draft was served already: then no revision is added. */
  changed: boolean
}

/**
 * Freezes and serves the drafts of projects, each in a transaction of its own: from one moment to the next, requests are
 * answered from the new revision. Gives undefined for a project that does not exist.
 */
export async function publish(
  store: Store,
  place: { workspace: string; project: string },
  note: string | undefined,
  now: Date,
): Promise<PublishResult | undefined> {
  return store.database.transaction(async queries => {
    const record = await findProject(queries, place.workspace, place.project)
    if (!record) return undefined
    const { changed } = await publishDraft(queries, record, note, now)
    return result(await findProject(queries, place.workspace, place.project), changed)
  })
}

function result(record: ProjectRecord | undefined, changed: boolean): PublishResult {
  const published = record?.published
  if (!record || !published) throw new Error('the store did not keep a publication')
  const { workspace, project } = record
  const { revision, snapshot, publishedAt } = published
  return { workspace, project, revision, snapshot, publishedAt: publishedAt.toISOString(), changed }
}
