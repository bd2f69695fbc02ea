import { createHash } from 'node:crypto'
import type { EditLinks, SourcePaths } from '../../brand/edit-link.ts'
import type { ProjectId, ProjectRef, WorkspaceId } from '../../brand/ids.ts'
import { type ReportRows, reportDamaged } from '../database/damaged-row.ts'
import type { Queries } from '../database/database.ts'
import { defineRows, json, optional, type RecordOf, text } from '../database/table.ts'
import { recordChange } from './changes.ts'
import { withChecks } from './row-checks.ts'

/**
 * Saves where the files of a project are edited, inside a transaction; no template means nowhere. The paths are not part
 * of the content, so published pages use them at once. `isReviewed` is kept with them.
 */
export async function saveEditLinks(
  queries: Queries,
  workspace: WorkspaceId,
  project: ProjectId,
  template: string | undefined,
  source: SourcePaths & Pick<EditLinks, 'isReviewed'>,
): Promise<void> {
  const update = (column: 'edit' | 'source', value: string | null) =>
    queries.run(
      `UPDATE project SET ${column} = ? WHERE workspace = ? AND id = ? AND ${column} IS DISTINCT FROM ?`,
      value,
      workspace,
      project,
      value,
    )
  const paths = JSON.stringify(source)
  await update('source', paths)
  const edit = template === undefined ? null : `${digestOf(paths)} ${template}`
  if ((await update('edit', edit)) > 0) await recordChange(queries, workspace, project)
}

/** Is stored before the address, so that it changes with the paths. */
function digestOf(paths: string): string {
  return createHash('sha256').update(paths).digest('hex').slice(0, 16)
}

/** The edit links of a project; undefined if it has none, or if they are damaged. */
export async function findEditLinks(
  queries: Queries,
  ref: ProjectRef,
  report?: ReportRows,
): Promise<EditLinks | undefined> {
  const { edit, paths } = await findLinks(queries, ref, report)
  return edit !== undefined && paths ? { template: edit.slice(edit.indexOf(' ') + 1), ...paths } : undefined
}

/** The paths of the files of a project in the brand folder that was imported last; undefined if they are unknown. */
export async function findSourcePaths(
  queries: Queries,
  ref: ProjectRef,
  report?: ReportRows,
): Promise<SourcePaths | undefined> {
  return (await findLinks(queries, ref, report)).paths
}

const LINKS = defineRows(
  'project',
  {
    workspace: text('workspace'),
    project: text('id'),
    edit: withChecks('project', optional(text('edit'))),
    paths: withChecks('project', optional(json<Omit<EditLinks, 'template'>>('source'))),
  },
  'project',
)

async function findLinks(
  queries: Queries,
  { workspace, project }: ProjectRef,
  report?: ReportRows,
): Promise<Partial<RecordOf<typeof LINKS>>> {
  const links = await LINKS.readable(queries, 'WHERE workspace = ? AND id = ?', workspace, project)
  return reportDamaged(links, report)[0] ?? {}
}
