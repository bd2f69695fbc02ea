import { createHash } from 'node:crypto'
import { withoutUndefined } from '../../base/object.ts'
import type { EditLinks, SourcePaths } from '../../brand/edit-link.ts'
import type { ProjectId, ProjectRef, WorkspaceId } from '../../brand/ids.ts'
import { type ReportRows, readable, reportDamaged } from '../database/damaged-row.ts'
import { nullable, type Queries, type Row, textOf } from '../database/database.ts'
import { assertSound } from '../database/row-checks.ts'
import { jsonOf } from '../database/table.ts'
import { recordChange } from './changes.ts'

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
  const known = await findColumns(queries, { workspace, project })
  const paths = JSON.stringify(source)
  const edit = template === undefined ? undefined : `${digestOf(paths)} ${template}`
  const isSameEdit = (edit ?? null) === (known?.edit ?? null)
  if (isSameEdit && paths === known?.source) return
  const sql = 'UPDATE project SET edit = ?, source = ? WHERE workspace = ? AND id = ?'
  await queries.run(sql, edit ?? null, paths, workspace, project)
  if (!isSameEdit) await recordChange(queries, workspace, project)
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
  const { template, paths } = await findLinks(queries, ref, report)
  return template !== undefined && paths ? { template, ...paths } : undefined
}

/** The paths of the files of a project in the brand folder that was imported last; undefined if they are unknown. */
export async function findSourcePaths(
  queries: Queries,
  ref: ProjectRef,
  report?: ReportRows,
): Promise<SourcePaths | undefined> {
  return (await findLinks(queries, ref, report)).paths
}

type Links = { template?: string; paths?: Omit<EditLinks, 'template'> }

async function findLinks(queries: Queries, ref: ProjectRef, report?: ReportRows): Promise<Links> {
  const row = await findColumns(queries, ref)
  return reportDamaged(readable('project', row ? [row] : [], linksOf), report)[0] ?? {}
}

function linksOf(row: Row): Links {
  assertSound('project', row)
  const edit = nullable(row, 'edit', textOf)
  const paths = nullable(row, 'source', jsonOf)
  return withoutUndefined({ template: edit?.slice(edit.indexOf(' ') + 1), paths })
}

async function findColumns(queries: Queries, { workspace, project }: ProjectRef): Promise<Row | undefined> {
  return queries.get(
    'SELECT workspace, id, edit, source FROM project WHERE workspace = ? AND id = ?',
    workspace,
    project,
  )
}
