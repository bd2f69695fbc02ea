import { raiseFileKey } from '../store/catalogue/pointers.ts'
import type { Store } from '../store/store.ts'
import type { Audit } from '../telemetry/access-event.ts'
import { idleProject, type ProjectRef, type Refused } from './project-ref.ts'

/** Gives the files of a project other addresses: the earlier ones are dead, and replies show the new ones. */
export async function rotateFiles(
  store: Store,
  place: ProjectRef,
  record: Audit,
): Promise<{ changed: true } | Refused> {
  const outcome = await store.database.transaction(async queries => {
    const project = await idleProject(queries, place)
    if ('refused' in project) return project
    await raiseFileKey(queries, project)
    return { changed: true } as const
  })
  if (!('refused' in outcome)) record({ event: 'files-rotated', workspace: place.workspace, project: place.project })
  return outcome
}
