import { removeProject, withdraw } from '../store/pointers.ts'
import type { Store } from '../store/store.ts'
import { idleProject, type Place, type Refused } from './place.ts'

/** Serves a project no longer; its draft and its history stay. */
export async function unpublish(store: Store, place: Place, now: Date): Promise<{ changed: boolean } | Refused> {
  return store.database.transaction(async queries => {
    const record = await idleProject(queries, place)
    if ('refused' in record) return record
    if (!record.published) return { changed: false }
    await withdraw(queries, record, now)
    return { changed: true }
  })
}

/** Deletes a project: its draft, what it serves and its history. What nothing else uses is freed by `housestyle gc`. */
export async function remove(store: Store, place: Place): Promise<{ changed: true } | Refused> {
  return store.database.transaction(async queries => {
    const record = await idleProject(queries, place)
    if ('refused' in record) return record
    await removeProject(queries, record)
    return { changed: true }
  })
}
