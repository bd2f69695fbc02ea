import type { ProjectRef } from '../../brand/ids.ts'
import { type Queries, textOf } from '../database/database.ts'
import { recordChange } from './changes.ts'

/** A copy of one project over another that is under way. */
export type CopyRecord = {
  id: string
  source: ProjectRef
  target: ProjectRef
}

/** All copies, including leftovers of killed processes. */
export async function listCopies(queries: Queries): Promise<CopyRecord[]> {
  const rows = await queries.all('SELECT * FROM copy ORDER BY id')
  return rows.map(row => ({
    id: textOf(row, 'id'),
    source: { workspace: textOf(row, 'source_workspace'), project: textOf(row, 'source_project') },
    target: { workspace: textOf(row, 'target_workspace'), project: textOf(row, 'target_project') },
  }))
}

/** Records that a copy is under way, inside a transaction. */
export async function addCopy(queries: Queries, { id, source, target }: CopyRecord): Promise<void> {
  await queries.run(
    'INSERT INTO copy (id, source_workspace, source_project, target_workspace, target_project) VALUES (?, ?, ?, ?, ?)',
    id,
    source.workspace,
    source.project,
    target.workspace,
    target.project,
  )
  await recordChange(queries, source.workspace, source.project)
  await recordChange(queries, target.workspace, target.project)
}

/** Removes a finished or abandoned copy, inside a transaction. */
export async function removeCopy(queries: Queries, { id, source, target }: CopyRecord): Promise<void> {
  await queries.run('DELETE FROM copy WHERE id = ?', id)
  await recordChange(queries, source.workspace, source.project)
  await recordChange(queries, target.workspace, target.project)
}
