import type { Dirent } from 'node:fs'
import { basename } from 'node:path'
import { withoutUndefined } from '../../base/object.ts'
import { ok } from '../../base/result.ts'
import { quote } from '../../base/text.ts'
import { type EditSetting, isEditTemplate } from '../../brand/edit-link.ts'
import { keysOf } from '../../brand/fields.ts'
import type { Problem } from '../../brand/finding.ts'
import { isWorkspaceId, RESERVED_WORKSPACE_IDS, type WorkspaceId } from '../../brand/ids.ts'
import { slug } from '../../brand/slug.ts'
import { type Findings, problem } from '../folder/findings.ts'
import { readTextFile } from '../folder/text-file.ts'
import { WORKSPACE_KEYS } from '../schema/project.ts'
import { readOptional, readRootMapping } from '../yaml/fields.ts'
import { readWorkspaceId } from '../yaml/ids.ts'
import { invalid, type Reader } from '../yaml/reader.ts'
import { readContact, readName } from '../yaml/texts.ts'
import { hasFile } from './project-folder.ts'

export type Workspace = { id: WorkspaceId; name: string; contact?: string }

/**
 * Reads the workspace of a brand folder from `workspace.yaml`, else from the folder name; the caller may know its id.
 * Undefined, with a finding, if the file has an error or the name does not give a valid id.
 */
export function readWorkspace(
  root: string,
  entries: readonly Dirent[],
  findings: Findings,
  known?: WorkspaceId,
): { workspace: Workspace; isPinned: boolean; edit?: EditSetting | undefined } | undefined {
  const path = 'workspace.yaml'
  const folderName = basename(root)
  const text = readTextFile(root, path, null, findings, hasFile(entries, path))
  const { workspace, problems } = readWorkspaceFile(text ?? '')
  const { contact, edit } = workspace
  findings.add(null, path, ...problems)
  if (findings.hasError(null)) return undefined
  const pinned = known ?? workspace.id
  const id = pinned ?? slug(folderName)
  if (isWorkspaceId(id))
    return {
      workspace: withoutUndefined({ id, name: workspace.name ?? folderName, contact }),
      isPinned: pinned !== undefined,
      edit,
    }
  const isReserved = RESERVED_WORKSPACE_IDS.includes(id)
  const why = isReserved
    ? 'is reserved'
    : 'is not a valid workspace id (a-z, 0-9, single hyphens, at most 63 characters)'
  findings.add(null, path, problem('id-invalid', `${quote(id)} ${why}: write id: in workspace.yaml`))
  return undefined
}

/** Reads `workspace.yaml`. Missing or invalid fields are absent. */
export function readWorkspaceFile(text: string): {
  workspace: Partial<Workspace> & { edit?: EditSetting }
  problems: Problem[]
} {
  const { fields, problems } = readRootMapping(text, 'workspace.yaml', keysOf(WORKSPACE_KEYS))
  if (fields === undefined) return { workspace: {}, problems }
  const workspace = withoutUndefined({
    id: readOptional(fields, 'id', readWorkspaceId),
    name: readOptional(fields, 'name', readName),
    contact: readOptional(fields, 'contact', readContact),
    edit: readOptional(fields, 'edit', readEdit),
  } satisfies Record<keyof typeof WORKSPACE_KEYS, unknown>)
  return { workspace, problems }
}

/** Reads the address for editing a file, or `true`. */
const readEdit: Reader<EditSetting> = node => {
  const text = readName(node)
  if (!text.ok) return text
  const address = text.value.trim()
  if (address === 'true') return ok(true)
  if (isEditTemplate(address)) return ok(address)
  const form = 'true, or an address with {path}, as in https://github.com/acme/brand/edit/main/{path}'
  return invalid(node, `is ${quote(address)}; write ${form}`)
}
