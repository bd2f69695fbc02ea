import type { ProjectRef } from '#brand/ids.ts'
import { ok } from '#platform/base/result.ts'
import type { Audit } from '#platform/telemetry/access-event.ts'
import { removeShares } from '#store/access/shares.ts'
import { isPublished } from '#store/catalogue/catalogue.ts'
import { recordChange } from '#store/catalogue/changes.ts'
import { removeProject, rotateFileKey, unpublishProject } from '#store/catalogue/pointers.ts'
import type { Store } from '#store/store.ts'
import { recordFilled } from './feeders.ts'
import { type Withdrawn, withdraw } from './plan.ts'
import { changeProject, type Outcome } from './project-ref.ts'

/** Stops serving a project. Keeps its draft and its history. */
export function unpublish(store: Store, ref: ProjectRef, now: Date): Withdrawn<{ changed: boolean }> {
  return withdraw(store, ref, { code: 'unpublished', now }, async (queries, record) => {
    const changed = isPublished(record)
    if (changed) await unpublishProject(queries, record, now)
    return ok({ changed })
  })
}

/** Deletes a project: its draft, its publication, its history and its share links. `gc` then frees its content. */
export function remove(store: Store, ref: ProjectRef, now: Date): Withdrawn<{ changed: true }> {
  return withdraw(store, ref, { code: 'deleted', now }, async (queries, record) => {
    await removeProject(queries, record, now)
    await recordFilled(queries, {}, [ref])
    if ((await removeShares(queries, ref.workspace, ref.project)) > 0) await recordChange(queries, undefined)
    return ok({ changed: true })
  })
}

/** Gives the files of a project new addresses. The old ones stop working at once. */
export async function rotateFiles(store: Store, ref: ProjectRef, audit: Audit): Outcome<{ changed: true }> {
  const outcome = await changeProject(store, ref, async (queries, record) => {
    await rotateFileKey(queries, record)
    return ok({ changed: true } as const)
  })
  if (outcome.ok) audit({ event: 'files-rotated', workspace: ref.workspace, project: ref.project })
  return outcome
}
