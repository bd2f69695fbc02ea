import { findProject } from '../store/catalogue.ts'
import { withdraw } from '../store/pointers.ts'
import type { Store } from '../store/store.ts'

/** Serves a project no longer; its draft and its history stay. */
export async function unpublish(
  store: Store,
  place: { workspace: string; project: string },
  now: Date,
): Promise<'done' | 'not published' | 'unknown'> {
  return store.database.transaction(async queries => {
    const record = await findProject(queries, place.workspace, place.project)
    if (!record) return 'unknown'
    if (!record.published) return 'not published'
    await withdraw(queries, record, now)
    return 'done'
  })
}
