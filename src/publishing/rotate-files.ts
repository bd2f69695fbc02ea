import { ok } from '../base/result.ts'
import type { ProjectRef } from '../brand/ids.ts'
import { rotateFileKey } from '../store/catalogue/pointers.ts'
import type { Store } from '../store/store.ts'
import type { Audit } from '../telemetry/access-event.ts'
import type { CommandResult } from './project-ref.ts'
import { changeProject } from './project-ref.ts'

/** Gives the files of a project new addresses. The old ones stop working at once. */
export async function rotateFiles(
  store: Store,
  ref: ProjectRef,
  audit: Audit,
): Promise<CommandResult<{ changed: true }>> {
  const outcome = await changeProject(store, ref, async (queries, record) => {
    await rotateFileKey(queries, record)
    return ok({ changed: true } as const)
  })
  if (outcome.ok) audit({ event: 'files-rotated', workspace: ref.workspace, project: ref.project })
  return outcome
}
