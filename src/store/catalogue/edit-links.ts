import { createHash } from 'node:crypto'
import { field } from '../../base/object.ts'
import type { EditLinks, SourcePaths } from '../../brand/edit-link.ts'
import type { ProjectId, ProjectRef, WorkspaceId } from '../../brand/ids.ts'
import { nullable, type Queries, type Row, textOf } from '../database/database.ts'
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
  const known = await readColumns(queries, { workspace, project })
  const paths = JSON.stringify(source)
  const edit = template === undefined ? undefined : `${digestOf(paths)} ${template}`
  if (edit === known.edit && paths === known.source) return
  const sql = 'UPDATE project SET edit = ?, source = ? WHERE workspace = ? AND id = ?'
  await queries.run(sql, edit ?? null, paths, workspace, project)
  if (edit !== known.edit) await recordChange(queries, workspace, project)
}

/** Is stored before the address, so that it changes with the paths. */
function digestOf(paths: string): string {
  return createHash('sha256').update(paths).digest('hex').slice(0, 16)
}

/** The edit links of a project; undefined if it has none. */
export async function findEditLinks(queries: Queries, ref: ProjectRef): Promise<EditLinks | undefined> {
  const { edit, source } = await readColumns(queries, ref)
  const paths = parsePaths(source)
  return edit !== undefined && paths ? { template: edit.slice(edit.indexOf(' ') + 1), ...paths } : undefined
}

/** The paths of the files of a project in the brand folder that was imported last; undefined if they are unknown. */
export async function findSourcePaths(queries: Queries, ref: ProjectRef): Promise<SourcePaths | undefined> {
  return parsePaths((await readColumns(queries, ref)).source)
}

async function readColumns(
  queries: Queries,
  { workspace, project }: ProjectRef,
): Promise<{ edit?: string | undefined; source?: string | undefined }> {
  const row: Row | undefined = await queries.get(
    'SELECT edit, source FROM project WHERE workspace = ? AND id = ?',
    workspace,
    project,
  )
  return row ? { edit: nullable(row, 'edit', textOf), source: nullable(row, 'source', textOf) } : {}
}

function parsePaths(source: string | undefined): (SourcePaths & Pick<EditLinks, 'isReviewed'>) | undefined {
  const paths: unknown = source === undefined ? undefined : JSON.parse(source)
  return isPaths(paths) ? paths : undefined
}

/** Only `saveEditLinks` writes them. */
function isPaths(value: unknown): value is SourcePaths & Pick<EditLinks, 'isReviewed'> {
  return typeof field(value, 'folder') === 'string'
}
