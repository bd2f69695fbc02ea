import type { Dirent } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { MaybePromise } from '../base/promise.ts'
import { quote, textOrder } from '../base/text.ts'
import type { Draft } from '../brand/draft.ts'
import type { Finding } from '../brand/finding.ts'
import { isWorkspaceId, RESERVED_WORKSPACE_IDS, type WorkspaceId } from '../brand/ids.ts'
import { slug } from '../brand/slug.ts'
import { noReadCache, type ReadCache } from './cache/read-cache.ts'
import { type ContentWriter, hashingWriter } from './folder/content-writer.ts'
import { collectFindings, type Findings, problem } from './folder/findings.ts'
import { entriesOf, openFolder, statIn } from './folder/open-folder.ts'
import { openSpillBuffer } from './folder/spill-buffer.ts'
import { readTextFile } from './folder/text-file.ts'
import { unreadableProblem } from './folder/unreadable.ts'
import { isPassedOver, isUnusable, UNUSABLE } from './folder/walk.ts'
import type { MediaReader } from './media/media.ts'
import type { Caps, Progress } from './project/project-context.ts'
import { hasFile, identify, isPart, isProject, type ProjectFolder, reportOverlooked } from './project/project-folder.ts'
import { readWorkspaceFile, type WorkspaceFile } from './project/workspace-file.ts'
import { readProject } from './project.ts'

/** What a brand folder says. */
export type BrandFolder = {
  /** Absent if the workspace itself has an error; then no draft is kept. */
  workspace?: { id: WorkspaceId; name: string }
  /** The ids of all projects in the folder, by id, with and without errors. */
  projects: string[]
  findings: Finding[]
}

/** Where what is read of a workspace goes, and what was read of it before. */
export type ImportTarget = {
  writer: ContentWriter
  readCache: ReadCache
  /** Takes the draft of each project that has no error; its pages can be read until this is done, and not later. */
  draft: (draft: Draft) => MaybePromise<void>
}

/** Keeps nothing: for `check` and dry runs. */
export const noTarget: ImportTarget = { writer: hashingWriter, readCache: noReadCache, draft: () => undefined }

/** How a brand folder is read. */
export type ReadOptions = {
  media: MediaReader
  targetFor: (workspace: WorkspaceId) => MaybePromise<ImportTarget>
  caps: Caps
  signal: AbortSignal
  progress: (progress: Progress) => void
}

/** Reads a brand folder: a workspace of projects, or one project that is its own workspace. Throws if it is not a folder. */
export async function readBrandFolder(folder: string, options: ReadOptions): Promise<BrandFolder> {
  const findings = collectFindings()
  const root = await realpath(folder)
  const entries = await entriesAt(root, '', findings)
  const workspace = readWorkspace(root, entries ?? [], findings)
  const folders = entries ? await projectFolders(root, entries, findings) : []
  const identified = await identify(root, folders, findings)
  const target = workspace ? await options.targetFor(workspace.id) : noTarget
  for (const project of identified) {
    using spill = openSpillBuffer()
    const draft = await readProject(root, project, findings, { ...options, ...target, spill })
    if (draft && workspace) await target.draft(draft)
  }
  const projects = [...new Set(identified.map(({ id }) => id.toString()))].sort(textOrder)
  return { ...(workspace && { workspace }), projects, findings: findings.list() }
}

function readWorkspace(
  root: string,
  entries: readonly Dirent[],
  findings: Findings,
): { id: WorkspaceId; name: string } | undefined {
  const path = 'workspace.yaml'
  const folderName = basename(root)
  const file = readTextFile(root, path, null, findings, hasFile(entries, path))
  const { workspace, problems } = file === undefined ? NOTHING_WRITTEN : readWorkspaceFile(file)
  findings.add(null, path, ...problems)
  if (findings.hasError(null)) return undefined
  const id = workspace.id ?? slug(folderName)
  if (isWorkspaceId(id)) return { id, name: workspace.name ?? folderName }
  const isReserved = RESERVED_WORKSPACE_IDS.includes(id)
  const why = isReserved ? 'is reserved' : 'is no id of a workspace (a-z, 0-9, single hyphens, at most 63)'
  findings.add(null, path, problem('id-invalid', `${quote(id)} ${why}: write id: in workspace.yaml`))
  return undefined
}

const NOTHING_WRITTEN: { workspace: WorkspaceFile; problems: [] } = { workspace: {}, problems: [] }

async function projectFolders(root: string, entries: readonly Dirent[], findings: Findings): Promise<ProjectFolder[]> {
  const itself = { path: '', name: basename(root), entries }
  if (isProject(entries)) {
    for (const entry of entries) reportInnerProject(root, entry, findings)
    return [itself]
  }
  reportOverlooked(itself, null, findings)
  const found: ProjectFolder[] = []
  for (const entry of entries.toSorted((a, b) => textOrder(a.name, b.name))) {
    const folder = isPassedOver(entry.name) ? undefined : await folderOf(root, entry, findings)
    if (folder && isProject(folder.entries)) found.push(folder)
    else if (folder) reportOverlooked(folder, null, findings)
  }
  if (found.length === 0) findings.add(null, '.', problem('no-project', NO_PROJECT))
  return found
}

/** Projects are not looked for inside a project: one that stands there is reported. */
function reportInnerProject(root: string, entry: Dirent, findings: Findings): void {
  const { name } = entry
  if (entry.isDirectory() && !isPassedOver(name) && !isUnusable(name) && hasProjectFile(join(root, name)))
    findings.add(null, name, problem('not-read', INSIDE))
}

function hasProjectFile(path: string): boolean {
  try {
    using folder = openFolder(path)
    return statIn(folder, 'project.yaml').isFile()
  } catch {
    return false // Whatever cannot be read here is reported when it is read.
  }
}

/** A folder that may be a project; undefined for anything else, with a finding if a person may miss it. */
async function folderOf(root: string, entry: Dirent, findings: Findings): Promise<ProjectFolder | undefined> {
  const { name } = entry
  const isReportedElsewhere = isPart(name) || name === 'workspace.yaml'
  if (entry.isSymbolicLink() && !isReportedElsewhere) findings.add(null, name, problem('not-followed', NOT_FOLLOWED))
  if (!entry.isDirectory()) return undefined
  if (isUnusable(name)) {
    findings.add(null, name, problem('name-unusable', UNUSABLE))
    return undefined
  }
  const entries = await entriesAt(root, name, findings)
  return entries && { path: name, name, entries }
}

/** What stands in a folder; undefined, with a finding, if it cannot be read. */
async function entriesAt(root: string, path: string, findings: Findings): Promise<Dirent[] | undefined> {
  try {
    using folder = openFolder(join(root, path))
    return await entriesOf(folder)
  } catch (error) {
    findings.add(null, path || '.', unreadableProblem(error, path || root))
    return undefined
  }
}

const NOT_FOLLOWED = 'is a symbolic link and is left out: put the folder itself in its place'
const INSIDE =
  'is not read, since the brand folder is itself a project: move its pages/, styles/ and files/ into a folder of their own'
const NO_PROJECT =
  'there is no project here: name a folder that has pages/, styles/ or files/, or one with such folders in it'
