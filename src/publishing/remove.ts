import { ok } from '../base/result.ts'
import type { ProjectRef } from '../brand/ids.ts'
import { removeShares } from '../store/access/shares.ts'
import { isPublished } from '../store/catalogue/catalogue.ts'
import { recordChange } from '../store/catalogue/changes.ts'
import { removeProject, unpublishProject } from '../store/catalogue/pointers.ts'
import type { Store } from '../store/store.ts'
import type { CommandResult } from './command-problem.ts'
import { idleProject } from './project-ref.ts'

/** Stops serving a project. Keeps its draft and its history. */
export async function unpublish(
  store: Store,
  ref: ProjectRef,
  now: Date,
): Promise<CommandResult<{ changed: boolean }>> {
  return store.database.transaction(async queries => {
    const found = await idleProject(queries, ref)
    if (!found.ok) return found
    if (!isPublished(found.value)) return ok({ changed: false })
    await unpublishProject(queries, found.value, now)
    return ok({ changed: true })
  })
}

/** Deletes a project: its draft, its publication, its history and its share links. `gc` then frees its content. */
export async function remove(store: Store, ref: ProjectRef, now: Date): Promise<CommandResult<{ changed: true }>> {
  return store.database.transaction(async queries => {
    const found = await idleProject(queries, ref)
    if (!found.ok) return found
    await removeProject(queries, found.value, now)
    if ((await removeShares(queries, ref.workspace, ref.project)) > 0) await recordChange(queries, undefined)
    return ok({ changed: true })
  })
}
