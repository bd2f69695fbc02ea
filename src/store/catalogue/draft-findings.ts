import type { Finding } from '../../brand/finding.ts'
import type { ProjectRef } from '../../brand/ids.ts'
import { readRow } from '../database/damaged-row.ts'
import { nullable, type Queries } from '../database/database.ts'
import { jsonOf } from '../database/table.ts'

/** A finding in the import of a draft. Its path is relative to the brand folder. */
export type DraftFinding = Omit<Finding, 'project'>

/** Saves the first findings in the import of a draft, inside its transaction. */
export async function saveDraftFindings(
  queries: Queries,
  { workspace, project }: ProjectRef,
  findings: readonly Finding[],
): Promise<void> {
  const kept = findings.filter(finding => finding.project === project).slice(0, MAX_DRAFT_FINDINGS)
  const json = JSON.stringify(
    kept.map(({ severity, rule, path, line, message }): DraftFinding => ({ severity, rule, path, line, message })),
  )
  const sql =
    'UPDATE project SET draft_findings = ? WHERE workspace = ? AND id = ? AND draft_findings IS DISTINCT FROM ?'
  await queries.run(sql, json, workspace, project, json)
}

export const MAX_DRAFT_FINDINGS = 200

/** The findings in the import of the draft of a project; undefined if they are unknown. */
export async function findDraftFindings(
  queries: Queries,
  { workspace, project }: ProjectRef,
): Promise<readonly DraftFinding[] | undefined> {
  const sql = 'SELECT workspace, id, draft_findings FROM project WHERE workspace = ? AND id = ?'
  const row = await queries.get(sql, workspace, project)
  return row && readRow('project', row, () => nullable(row, 'draft_findings', jsonOf))
}
