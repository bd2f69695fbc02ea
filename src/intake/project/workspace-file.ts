import { withoutUndefined } from '../../base/object.ts'
import type { Problem } from '../../brand/finding.ts'
import type { WorkspaceId } from '../../brand/ids.ts'
import { optional, readRootMapping } from '../yaml/fields.ts'
import { readWorkspaceId } from '../yaml/ids.ts'
import { readName } from '../yaml/texts.ts'

/** What `workspace.yaml` says; fields that it does not give are absent. */
export type WorkspaceFile = { id?: WorkspaceId; name?: string }

/** Reads `workspace.yaml`. */
export function readWorkspaceFile(text: string): { workspace: WorkspaceFile; problems: Problem[] } {
  const { fields, problems } = readRootMapping(text, 'workspace.yaml', ['id', 'name'])
  if (fields === undefined) return { workspace: {}, problems }
  const workspace = withoutUndefined({
    id: optional(fields, 'id', readWorkspaceId),
    name: optional(fields, 'name', readName),
  })
  return { workspace, problems }
}
