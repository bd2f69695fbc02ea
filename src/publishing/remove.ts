import { ok } from '../base/result.ts'
import { removeShares } from '../store/access/shares.ts'
import { noteChange } from '../store/catalogue/changes.ts'
import { removeProject, unpublishProject } from '../store/catalogue/pointers.ts'
import type { Store } from '../store/store.ts'
import type { CommandResult } from './command-problem.ts'
import { idleProject, type ProjectRef } from './project-ref.ts'

/** Serves a project no longer; its draft and its history stay. */
export async function unpublish(
  store: Store,
  place: ProjectRef,
  now: Date,
): Promise<CommandResult<{ changed: boolean }>> {
  return store.database.transaction(async queries => {
    const found = await idleProject(queries, place)
    if (!found.ok) return found
    if (!found.value.published) return ok({ changed: false })
    await unpublishProject(queries, found.value, now)
    return ok({ changed: true })
  })
}

/** Deletes a project: its draft, what it serves and its history. What nothing else uses is freed by `housestyle gc`. */
export async function remove(store: Store, place: ProjectRef): Promise<CommandResult<{ changed: true }>> {
  return store.database.transaction(async queries => {
    const found = await idleProject(queries, place)
    if (!found.ok) return found
    await removeProject(queries, found.value)
    if ((await removeShares(queries, place.workspace, place.project)) > 0) await noteChange(queries, undefined)
    return ok({ changed: true })
  })
}
