import { ok } from '../base/result.ts'
import { rotateFileKey } from '../store/catalogue/pointers.ts'
import type { Store } from '../store/store.ts'
import type { Audit } from '../telemetry/access-event.ts'
import type { CommandResult } from './command-problem.ts'
import { idleProject, type ProjectRef } from './project-ref.ts'

/** Gives the files of a project other addresses: the earlier ones are dead, and replies show the new ones. */
export async function rotateFiles(
  store: Store,
  place: ProjectRef,
  record: Audit,
): Promise<CommandResult<{ changed: true }>> {
  const outcome = await store.database.transaction(async queries => {
    const found = await idleProject(queries, place)
    if (!found.ok) return found
    await rotateFileKey(queries, found.value)
    return ok({ changed: true } as const)
  })
  if (outcome.ok) record({ event: 'files-rotated', workspace: place.workspace, project: place.project })
  return outcome
}
