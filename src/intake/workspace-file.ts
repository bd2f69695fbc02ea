import type { Remark } from '../brand/finding.ts'
import type { WorkspaceId } from '../brand/ids.ts'
import { present } from '../brand/present.ts'
import { take } from './fields.ts'
import { readWorkspaceId } from './pinned-id.ts'
import { readRootMapping } from './root-mapping.ts'
import { readName } from './texts.ts'

/** What `workspace.yaml` says; fields that it does not give are absent. */
export type WorkspaceFile = { id?: WorkspaceId; name?: string }

/** Reads `workspace.yaml`. */
export function readWorkspaceFile(text: string): { workspace: WorkspaceFile; remarks: Remark[] } {
  const { fields, remarks } = readRootMapping(text, 'workspace.yaml', ['id', 'name'])
  if (fields === undefined) return { workspace: {}, remarks }
  const workspace = present({ id: take(fields, 'id', readWorkspaceId), name: take(fields, 'name', readName) })
  return { workspace, remarks }
}
