import { withoutUndefined } from '../../base/object.ts'
import { keysOf } from '../../brand/fields.ts'
import type { WorkspaceProfile } from '../../brand/workspace-theme.ts'
import { type ReportRows, readable, readRow, reportDamaged } from '../database/damaged-row.ts'
import { nullable, type Queries, type Row, textOf } from '../database/database.ts'

/** The fields of a workspace that all of its guides share: as they are served, and from the latest import. */
export type WorkspaceFields = { served: StoredFields; draft: StoredFields }

/** The theme is JSON, so that a damaged one stops nothing that only compares it. */
type StoredFields = Omit<WorkspaceProfile, 'theme'> & { theme?: string }

/** A key of `workspace.yaml`. */
export type WorkspaceKey = keyof WorkspaceProfile

/** The fields of a workspace. */
export async function findWorkspaceFields(queries: Queries, id: string): Promise<WorkspaceFields> {
  const row = await queries.get(`${FIELDS} WHERE id = ?`, id)
  if (!row) throw new Error(`the catalogue has a project without its workspace: ${JSON.stringify(id)}`)
  return readRow('workspace', row, fieldsOf)
}

/** The fields of all workspaces, by id, except those with damaged rows. */
export async function listWorkspaceFields(
  queries: Queries,
  report?: ReportRows,
): Promise<ReadonlyMap<string, WorkspaceFields>> {
  const read = (row: Row) => [textOf(row, 'id'), fieldsOf(row)] as const
  return new Map(reportDamaged(readable('workspace', await queries.all(FIELDS), read), report))
}

/** The keys of `workspace.yaml` whose imported values are not served yet. */
export function workspaceChanges({ served, draft }: WorkspaceFields): WorkspaceKey[] {
  return KEYS.filter(key => served[key] !== draft[key])
}

const FIELDS = `SELECT id, name, contact, theme, COALESCE(draft_name, name) AS draft_name, draft_contact, draft_theme
  FROM workspace`

function fieldsOf(row: Row): WorkspaceFields {
  return { served: storedFields(row, ''), draft: storedFields(row, 'draft_') }
}

function storedFields(row: Row, prefix: '' | 'draft_'): StoredFields {
  return withoutUndefined({
    name: textOf(row, `${prefix}name`),
    contact: nullable(row, `${prefix}contact`, textOf),
    theme: nullable(row, `${prefix}theme`, textOf),
  } satisfies Record<WorkspaceKey, string | undefined>)
}

const KEYS = keysOf({ name: true, contact: true, theme: true } satisfies Record<WorkspaceKey, true>)
