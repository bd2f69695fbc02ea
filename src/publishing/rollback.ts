import { ok } from '../base/result.ts'
import type { ProjectRef } from '../brand/ids.ts'
import type { ProjectRecord } from '../store/catalogue/catalogue.ts'
import { listRevisions, type RevisionRecord } from '../store/catalogue/history.ts'
import { addRevision } from '../store/catalogue/pointers.ts'
import type { Queries } from '../store/database/database.ts'
import type { Store } from '../store/store.ts'
import { type CommandResult, failedWith } from './command-problem.ts'
import { changeProject, freedRevision, retractedRevision, unknownRevision } from './project-ref.ts'
import { type PublishResult, publishResult } from './publish.ts'

/**
 * Publishes the content of an earlier revision as a new revision; the draft is unchanged. Without a number, it takes the
 * latest revision with a different snapshot. The name of the old revision returns, its visibility does not.
 */
export function rollback(
  store: Store,
  ref: ProjectRef,
  number: number | undefined,
  now: Date,
): Promise<CommandResult<PublishResult>> {
  return changeProject(store, ref, async (queries, record) => {
    const target = await targetOf(queries, record, number)
    if (!target.ok) return target
    const { visibility, revisions } = record.published ?? record.draft
    const { snapshot, name } = target.value
    const isNew = record.published?.snapshot !== snapshot
    const served = { snapshot, name, visibility, revisions }
    if (isNew) await addRevision(queries, record, served, `Rolled back to ${target.value.number}`, now)
    return ok(await publishResult(queries, ref, isNew))
  })
}

async function targetOf(
  queries: Queries,
  record: ProjectRecord,
  number: number | undefined,
): Promise<CommandResult<RevisionRecord>> {
  const { workspace, project, published } = record
  const history = await listRevisions(queries, workspace, project)
  const name = `${workspace}/${project}`
  if (number === undefined) {
    const usable = history.filter(({ retractedAt, freedAt }) => !retractedAt && !freedAt)
    const earlier = usable.find(({ snapshot }) => snapshot !== published?.snapshot)
    if (earlier) return ok(earlier)
    const message = `${name} has no earlier revision to roll back to: see \`housestyle history ${name}\``
    return failedWith('revision_unknown', message)
  }
  const named = history.find(revision => revision.number === number)
  if (!named) return unknownRevision(record, number)
  if (named.retractedAt) return retractedRevision(record, number)
  return named.freedAt ? freedRevision(record, number) : ok(named)
}
