import type { Finding } from '#brand/finding.ts'
import type { ProjectRef } from '#brand/ids.ts'
import { field } from '#platform/base/object.ts'
import type { Queries } from '../database/database.ts'
import { defineRows, json, optional, text } from '../database/table.ts'
import { setColumn } from './catalogue.ts'

/** A finding in the import of a draft. Its path is relative to the brand folder. */
export type DraftFinding = Omit<Finding, 'project'>

/** Saves the first findings in the import of a draft, inside its transaction. */
export async function saveDraftFindings(
  queries: Queries,
  ref: ProjectRef,
  findings: readonly Finding[],
): Promise<void> {
  // Also findings about the commit itself: one of its files outside the projects may have what one of them lacks.
  const isAbout = (finding: Finding) =>
    finding.project === ref.project || (finding.project === null && finding.rule.startsWith('git-'))
  const projectFindings = findings.filter(isAbout).slice(0, MAX_DRAFT_FINDINGS)
  const json = JSON.stringify(
    projectFindings.map(
      ({ severity, rule, path, line, message }): DraftFinding => ({ severity, rule, path, line, message }),
    ),
  )
  await setColumn(queries, ref, 'draft_findings', json)
}

export const MAX_DRAFT_FINDINGS = 200

/** The findings in the import of the draft of a project; undefined if they are unknown. */
export async function findDraftFindings(
  queries: Queries,
  { workspace, project }: ProjectRef,
): Promise<readonly DraftFinding[] | undefined> {
  const known = await FINDINGS.one(queries, `${KNOWN} AND workspace = ? AND id = ?`, workspace, project)
  return known?.findings
}

/** The known findings in the imports of all drafts. Returns a function that finds those of a project. */
export async function listDraftFindings(
  queries: Queries,
): Promise<(of: ProjectRef) => readonly DraftFinding[] | undefined> {
  const records = await FINDINGS.all(queries, KNOWN)
  const findings = new Map(records.map(each => [`${each.workspace}/${each.project}`, each.findings]))
  return ({ workspace, project }) => findings.get(`${workspace}/${project}`)
}

const KNOWN = 'WHERE draft_findings IS NOT NULL'
/** The findings of drafts. */
export const FINDINGS = defineRows(
  'project',
  {
    workspace: text('workspace'),
    project: text('id'),
    findings: optional(json<readonly DraftFinding[]>('draft_findings', 'a JSON list of findings', isFindings)),
  },
  'project',
)

/** Whether a value is a list of findings. */
export function isFindings(value: unknown): boolean {
  const isText = (part: unknown) => typeof part === 'string'
  return Array.isArray(value) && value.every(each => isText(field(each, 'path')) && isText(field(each, 'message')))
}
