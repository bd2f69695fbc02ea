import type { Dirent } from 'node:fs'
import { basename } from 'node:path'
import { type EditSetting, isEditTemplate } from '#brand/edit-link.ts'
import { keysOf } from '#brand/fields.ts'
import type { Problem } from '#brand/finding.ts'
import { isWorkspaceId, RESERVED_WORKSPACE_IDS, slug, type WorkspaceId } from '#brand/ids.ts'
import { parseHex } from '#brand/styles/screen-color.ts'
import type { WorkspaceTheme } from '#brand/workspace-theme.ts'
import { hexText } from '#formats/css/hex.ts'
import type { YamlNode } from '#formats/yaml/parse-yaml.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { ok, type Result } from '#platform/base/result.ts'
import { quote } from '#platform/base/text.ts'
import { type Findings, problem } from '../folder/findings.ts'
import { readTextFile } from '../folder/text-file.ts'
import { THEME_KINDS, WORKSPACE_KEYS, WORKSPACE_THEME_KEYS } from '../schema/project.ts'
import { readFields, readOptional, readRootMapping } from '../yaml/fields.ts'
import { invalid, readAnd } from '../yaml/reader.ts'
import { type Reference, readReference, readReferences } from '../yaml/references.ts'
import { readContact, readName, readParsed, readWorkspaceId } from '../yaml/scalars.ts'
import { hasFile } from './project-folder.ts'

/** The theme in workspace.yaml, whose files have not been looked up. */
export type WrittenWorkspaceTheme = { logo?: Reference; fonts?: Reference[] } & Pick<
  WorkspaceTheme,
  'accent' | 'ground' | 'corners'
>

export type Workspace = { id: WorkspaceId; name: string; contact?: string; theme?: WorkspaceTheme }

type ReadWorkspace = Pick<WrittenWorkspace, 'edit' | 'theme'> & {
  /** Without the theme, whose files are looked up later. */
  workspace: Workspace
  /** Whether the id is written or known, instead of made from the folder name. */
  isPinned: boolean
  /** Whether `workspace.yaml` sets its name. */
  isNamed: boolean
}

/** The fields of workspace.yaml. Missing or invalid ones are absent. */
type WrittenWorkspace = Partial<Omit<Workspace, 'theme'>> & { edit?: EditSetting; theme?: WrittenWorkspaceTheme }

/**
 * Reads the workspace of a brand folder from `workspace.yaml`, else from the folder name; the caller may know its id.
 * Undefined, with a finding, if the file has an error or the name does not give a valid id.
 */
export function readWorkspace(
  root: string,
  entries: readonly Dirent[],
  findings: Findings,
  known?: WorkspaceId,
): ReadWorkspace | undefined {
  const path = 'workspace.yaml'
  const folderName = basename(root)
  const text = readTextFile(root, path, null, findings, hasFile(entries, path))
  const { workspace, problems } = readWorkspaceFile(text ?? '')
  const { contact, edit, theme } = workspace
  findings.add(null, path, ...problems)
  if (findings.hasError(null)) return undefined
  const pinnedId = known ?? workspace.id
  const id = pinnedId ?? slug(folderName)
  if (isWorkspaceId(id))
    return withoutUndefined({
      workspace: withoutUndefined({ id, name: workspace.name ?? folderName, contact }),
      isPinned: pinnedId !== undefined,
      isNamed: workspace.name !== undefined,
      edit,
      theme,
    })
  const why = RESERVED_WORKSPACE_IDS.includes(id)
    ? 'is reserved'
    : 'is not a valid workspace id (a-z, 0-9, single hyphens, at most 63 characters)'
  findings.add(null, path, problem('id-invalid', `${quote(id)} ${why}: write id: in workspace.yaml`))
  return undefined
}

/** Reads the text of `workspace.yaml`. */
export function readWorkspaceFile(text: string): { workspace: WrittenWorkspace; problems: Problem[] } {
  const { fields, problems } = readRootMapping(text, 'workspace.yaml', keysOf(WORKSPACE_KEYS))
  const theme = fields.entries.get('theme')?.value
  const workspace = withoutUndefined({
    id: readOptional(fields, 'id', readWorkspaceId),
    name: readOptional(fields, 'name', readName),
    contact: readOptional(fields, 'contact', readContact),
    theme: theme && readTheme(theme, problems),
    edit: readOptional(fields, 'edit', readEdit),
  } satisfies Record<keyof typeof WORKSPACE_KEYS, unknown>)
  return { workspace, problems }
}

function readTheme(node: YamlNode, problems: Problem[]): WrittenWorkspaceTheme | undefined {
  const fields = readFields(node, 'theme', keysOf(WORKSPACE_THEME_KEYS), problems)
  if (node.kind !== 'mapping') return undefined
  const accent = readOptional(fields, 'accent', readParsed(parseHex))
  const ground = readOptional(fields, 'ground', readParsed(parseHex))
  return withoutUndefined({
    logo: readOptional(fields, 'logo', readReference),
    accent: accent && hexText(accent),
    ground: ground && hexText(ground),
    corners: readOptional(fields, 'corners', THEME_KINDS.corners.read),
    fonts: readOptional(fields, 'fonts', readReferences),
  } satisfies Record<keyof WrittenWorkspaceTheme, unknown>)
}

/** Reads the address for editing a file, or `true`. */
const readEdit = readAnd(readName, (text, node): Result<EditSetting, Problem> => {
  const address = text.trim()
  if (address === 'true') return ok(true)
  if (isEditTemplate(address)) return ok(address)
  const form = 'true, or an address with {path}, as in https://github.com/acme/brand/edit/main/{path}'
  return invalid(node, `is ${quote(address)}; write ${form}`)
})
