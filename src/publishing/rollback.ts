import type { ProjectRecord } from '../store/catalogue/catalogue.ts'
import { listRevisions, type RevisionRecord } from '../store/catalogue/history.ts'
import { addRevision } from '../store/catalogue/pointers.ts'
import type { Queries } from '../store/database/database.ts'
import type { Store } from '../store/store.ts'
import { idleProject, type ProjectRef, type Refused, refused } from './project-ref.ts'
import { type PublishResult, publishResult } from './publish.ts'

/**
 * Serves what an earlier revision served, as a new one; the draft stays. Without a number: the latest earlier revision
 * with another snapshot, and after unpublishing the last one. An old name comes back with it, never an old visibility.
 */
export async function rollback(
  store: Store,
  place: ProjectRef,
  number: number | undefined,
  now: Date,
): Promise<PublishResult | Refused> {
  return store.database.transaction(async queries => {
    const record = await idleProject(queries, place)
    if ('refused' in record) return record
    const target = await targetOf(queries, record, number)
    if ('refused' in target) return target
    const { visibility, revisions } = record.published ?? record.draft
    const { snapshot, name } = target
    const isNew = record.published?.snapshot !== snapshot
    if (isNew)
      await addRevision(
        queries,
        record,
        { snapshot, name, visibility, revisions },
        `Rolled back to ${target.number}`,
        now,
      )
    return publishResult(queries, place, isNew)
  })
}

async function targetOf(
  queries: Queries,
  { workspace, project, published }: ProjectRecord,
  number: number | undefined,
): Promise<RevisionRecord | Refused> {
  const history = await listRevisions(queries, workspace, project)
  const place = `${workspace}/${project}`
  if (number === undefined) {
    const usable = history.filter(({ retractedAt, freedAt }) => !retractedAt && !freedAt)
    const earlier = usable.find(({ snapshot }) => snapshot !== published?.snapshot)
    return (
      earlier ??
      refused('no-revision', `${place} has no earlier revision to go back to: see housestyle history ${place}`)
    )
  }
  const named = history.find(revision => revision.number === number)
  if (!named) return refused('no-revision', `${place} has no revision ${number}: see housestyle history ${place}`)
  if (named.retractedAt)
    return refused('retracted', `revision ${number} of ${place} was retracted: publish its content anew`)
  if (named.freedAt) return refused('freed', `the content of revision ${number} of ${place} was freed by housestyle gc`)
  return named
}
