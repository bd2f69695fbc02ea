import { ok } from '../base/result.ts'
import type { ProjectRef } from '../brand/ids.ts'
import type { ProjectRecord } from '../store/catalogue/catalogue.ts'
import { findRevision } from '../store/catalogue/history.ts'
import type { Queries } from '../store/database/database.ts'
import { type CommandResult, failedWith } from './command-problem.ts'
import { freedRevision, knownProject, retractedRevision, unknownRevision } from './project-ref.ts'

/** A project as if the given revision were published. Without a number, the published revision. */
export async function revisionRecord(
  queries: Queries,
  ref: ProjectRef,
  number: number | undefined,
): Promise<CommandResult<ProjectRecord>> {
  const lookup = await knownProject(queries, ref)
  if (!lookup.ok) return lookup
  const record = lookup.value
  const name = `${ref.workspace}/${ref.project}`
  if (number === undefined)
    return record.published
      ? lookup
      : failedWith(
          'project_unpublished',
          `${name} is not published: publish it with \`housestyle publish ${name}\`, or name a --revision`,
        )
  const revision = await findRevision(queries, ref.workspace, ref.project, number)
  if (!revision) return unknownRevision(ref, number)
  if (revision.retractedAt) return retractedRevision(ref, number)
  if (revision.freedAt) return freedRevision(ref, number)
  const { snapshot, publishedAt } = revision
  const { visibility, revisions } = record.published ?? record.draft
  return ok({
    ...record,
    published: { revision: number, snapshot, name: revision.name, publishedAt, visibility, revisions },
  })
}
