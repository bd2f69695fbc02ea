import { removeShares } from '../store/access/shares.ts'
import { noteChange } from '../store/catalogue/changes.ts'
import { removeProject, withdraw } from '../store/catalogue/pointers.ts'
import type { Store } from '../store/store.ts'
import { idleProject, type ProjectRef, type Refused } from './project-ref.ts'

/** Serves a project no longer; its draft and its history stay. */
export async function unpublish(store: Store, place: ProjectRef, now: Date): Promise<{ changed: boolean } | Refused> {
  return store.database.transaction(async queries => {
    const record = await idleProject(queries, place)
    if ('refused' in record) return record
    if (!record.published) return { changed: false }
    await withdraw(queries, record, now)
    return { changed: true }
  })
}

/** Deletes a project: its draft, what it serves and its history. What nothing else uses is freed by `housestyle gc`. */
export async function remove(store: Store, place: ProjectRef): Promise<{ changed: true } | Refused> {
  return store.database.transaction(async queries => {
    const record = await idleProject(queries, place)
    if ('refused' in record) return record
    await removeProject(queries, record)
    if ((await removeShares(queries, record.workspace, record.project)) > 0) await noteChange(queries, undefined)
    return { changed: true }
  })
}
