import { keysOf } from '#brand/fields.ts'
import type { WorkspaceProfile } from '#brand/workspace-theme.ts'
import type { Queries } from '../database/database.ts'
import { defineRows, group, optional, type RecordOf, text } from '../database/table.ts'

/**
 * The fields of a workspace that all of its guides share: as they are served, and from the latest import. The theme is
 * JSON, so that a damaged one stops nothing that only compares it.
 */
export const WORKSPACE_FIELDS = defineRows(
  'workspace',
  {
    id: text('id'),
    served: group({ name: text('name'), contact: optional(text('contact')), theme: optional(text('theme')) }),
    draft: group({
      name: text('draft_name'),
      contact: optional(text('draft_contact')),
      theme: optional(text('draft_theme')),
    }),
  },
  'workspace',
)

export type WorkspaceFields = Pick<RecordOf<typeof WORKSPACE_FIELDS>, 'served' | 'draft'>

/** A key of `workspace.yaml`. */
export type WorkspaceKey = keyof WorkspaceProfile

/** The fields of a workspace. */
export async function findWorkspaceFields(queries: Queries, id: string): Promise<WorkspaceFields> {
  const fields = await WORKSPACE_FIELDS.one(queries, 'WHERE id = ?', id)
  if (!fields) throw new Error(`the catalogue has a project without its workspace: ${JSON.stringify(id)}`)
  return fields
}

/** The fields of all workspaces, by id. */
export async function listWorkspaceFields(queries: Queries): Promise<ReadonlyMap<string, WorkspaceFields>> {
  return new Map((await WORKSPACE_FIELDS.all(queries, '')).map(fields => [fields.id, fields]))
}

/** The keys of `workspace.yaml` whose imported values are not served yet. */
export function workspaceChanges({ served, draft }: WorkspaceFields): WorkspaceKey[] {
  return KEYS.filter(key => served[key] !== draft[key])
}

const KEYS = keysOf({ name: true, contact: true, theme: true } satisfies Record<WorkspaceKey, true>)
