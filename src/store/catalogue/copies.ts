import type { Queries } from '../database/database.ts'
import { defineTable, group, type RecordOf, text } from '../database/table.ts'
import { recordChange } from './changes.ts'

/** Copies of one project over another that are under way. */
const COPIES = defineTable('copy', {
  id: text('id'),
  source: group({ workspace: text('source_workspace'), project: text('source_project') }),
  target: group({ workspace: text('target_workspace'), project: text('target_project') }),
})

export type CopyRecord = RecordOf<typeof COPIES>

/** All copies, including leftovers of killed processes. */
export function listCopies(queries: Queries): Promise<CopyRecord[]> {
  return COPIES.all(queries, 'ORDER BY id')
}

/** Records that a copy is under way, inside a transaction. */
export async function addCopy(queries: Queries, copy: CopyRecord): Promise<void> {
  await COPIES.add(queries, copy)
  await recordChanges(queries, copy)
}

/** Removes a finished or abandoned copy, inside a transaction. */
export async function removeCopy(queries: Queries, copy: CopyRecord): Promise<void> {
  await queries.run('DELETE FROM copy WHERE id = ?', copy.id)
  await recordChanges(queries, copy)
}

/** Copies change the status of both projects. */
async function recordChanges(queries: Queries, { source, target }: CopyRecord): Promise<void> {
  for (const { workspace, project } of [source, target]) await recordChange(queries, workspace, project)
}
