import { findProject } from '../store/catalogue/catalogue.ts'
import { noteChange } from '../store/catalogue/changes.ts'
import { findRevision, listRevisions, markRevision } from '../store/catalogue/history.ts'
import type { Store } from '../store/store.ts'
import { idleProject, type ProjectRef, type Refused, refused } from './project-ref.ts'

/** An entry of a project's history, as `housestyle history --json` prints it. */
export type HistoryEntry = {
  revision: number
  snapshot: string
  publishedAt: string
  note: string | null
  /** Whether it is served now. */
  current: boolean
  /** When it was taken back; absent where it was not. */
  retractedAt?: string
  /** When its content was freed; absent where it was not. */
  freedAt?: string
}

/** The history of a project, newest first. */
export async function history(store: Store, { workspace, project }: ProjectRef): Promise<HistoryEntry[] | Refused> {
  const record = await findProject(store.database, workspace, project)
  if (!record) return refused('not-found', `there is no project ${workspace}/${project}: see housestyle status`)
  return (await listRevisions(store.database, workspace, project)).map(revision => ({
    revision: revision.number,
    snapshot: revision.snapshot,
    publishedAt: revision.publishedAt.toISOString(),
    note: revision.note ?? null,
    current: revision.number === record.published?.revision,
    ...(revision.retractedAt && { retractedAt: revision.retractedAt.toISOString() }),
    ...(revision.freedAt && { freedAt: revision.freedAt.toISOString() }),
  }))
}

/** Takes a revision back: it stays in the history, and is served no longer. The one that is current has to be replaced first. */
export async function retract(
  store: Store,
  place: ProjectRef,
  number: number,
  now: Date,
): Promise<{ done: true } | Refused> {
  const { workspace, project } = place
  const name = `${workspace}/${project}`
  return store.database.transaction(async queries => {
    const record = await idleProject(queries, place)
    if ('refused' in record) return record
    if (!(await findRevision(queries, workspace, project, number)))
      return refused('no-revision', `${name} has no revision ${number}: see housestyle history ${name}`)
    if (record.published?.revision === number)
      return refused(
        'current',
        `revision ${number} of ${name} is the one that is served: publish, roll back or unpublish first`,
      )
    await markRevision(queries, { ...place, number }, 'retracted_at', now)
    await noteChange(queries, workspace)
    return { done: true }
  })
}
