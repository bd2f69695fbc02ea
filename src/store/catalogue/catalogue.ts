import { withoutUndefined } from '../../base/object.ts'
import type { Draft, Visibility } from '../../brand/draft.ts'
import { type Hash, isProjectId, isStoredWorkspaceId, type ProjectId, type WorkspaceId } from '../../brand/ids.ts'
import { parseHash } from '../../brand/snapshot.ts'
import { type ProjectStatus, projectStatus } from '../../brand/status.ts'
import type { WorkspaceProfile, WorkspaceTheme } from '../../brand/workspace-theme.ts'
import { type Readable, readable, readRow } from '../database/damaged-row.ts'
import { nullable, numberOf, type Queries, type Row, textOf, textsOf } from '../database/database.ts'
import { dateOf, objectOf } from '../database/table.ts'
import type { DamagedContent } from '../store-error.ts'

/** A workspace with its served name. */
export type WorkspaceRecord = { id: WorkspaceId; name: string }

/**
 * A project by id and instance. The instance distinguishes it from a later project with the same id. It is empty for
 * projects that an earlier version has created.
 */
export type ProjectInstance = { project: string; instance: string }

/** A project: its pointers, and data derived from them. */
export type ProjectRecord = {
  workspace: WorkspaceId
  project: ProjectId
  /** Random, so that it is never used again after the project is deleted. */
  instance: string
  status: ProjectStatus
  createdAt: Date
  updatedAt: Date
  draft: { snapshot: Hash; name: string; visibility: Visibility; revisions: Draft['revisions'] }
  /** The note for the publication of the draft. */
  draftNote?: string
  /** Absent while nothing is published. */
  published?: PublishedPointer
  /** A number in the addresses of the project files; a higher one changes them all. */
  fileKey: number
  /** Changes with its edit links; absent if it has none. */
  edit?: string
}

/** The served revision of a project. */
export type PublishedPointer = {
  revision: number
  snapshot: Hash
  name: string
  publishedAt: Date
  visibility: Visibility
  revisions: Draft['revisions']
}

export async function findWorkspace(queries: Queries, id: string): Promise<WorkspaceRecord | undefined> {
  const row = await queries.get('SELECT id, name FROM workspace WHERE id = ?', id)
  return row && readRow('workspace', row, workspaceOf)
}

/** The served fields of a workspace. */
export async function findProfile(queries: Queries, id: string): Promise<WorkspaceProfile | undefined> {
  const row = await queries.get('SELECT id, name, contact, theme FROM workspace WHERE id = ?', id)
  if (!row) return undefined
  return readRow('workspace', row, () => {
    const contact = nullable(row, 'contact', textOf)
    return withoutUndefined({ name: textOf(row, 'name'), contact, theme: themeOf(row, 'theme') })
  })
}

/** The ids of workspaces that serve a theme. */
export async function listThemed(queries: Queries): Promise<string[]> {
  return textsOf(await queries.all('SELECT id FROM workspace WHERE theme IS NOT NULL'), 'id')
}

/** The logos of the served and drafted themes of workspaces. A damaged theme may have any file of its workspace. */
export async function listLogos(queries: Queries): Promise<Readable<{ workspace: WorkspaceId; hashes: Hash[] }>> {
  const rows = await queries.all('SELECT id, theme, draft_theme FROM workspace ORDER BY id')
  return readable('workspace', rows, row => {
    const logos = [themeOf(row, 'theme')?.logo, themeOf(row, 'draft_theme')?.logo]
    return { workspace: workspaceIdOf(row, 'id'), hashes: logos.flatMap(logo => (logo ? [parseHash(logo.hash)] : [])) }
  })
}

function themeOf(row: Row, column: string): WorkspaceTheme | undefined {
  return nullable(row, column, objectOf)
}

/** All workspaces, by id. */
export async function listWorkspaces(queries: Queries): Promise<Readable<WorkspaceRecord>> {
  return readable('workspace', await queries.all('SELECT id, name FROM workspace ORDER BY id'), workspaceOf)
}

export async function findProject(
  queries: Queries,
  workspace: string,
  project: string,
): Promise<ProjectRecord | undefined> {
  const row = await queries.get(`${PROJECT} WHERE p.workspace = ? AND p.id = ?`, workspace, project)
  return row && readProject(row)
}

/** All projects, or the projects of one workspace, by id; only the first ones if there is a limit. */
export async function listProjects(
  queries: Queries,
  workspace?: string,
  limit = Number.MAX_SAFE_INTEGER,
): Promise<Readable<ProjectRecord>> {
  const rows =
    workspace === undefined
      ? await queries.all(`${PROJECT} ORDER BY p.workspace, p.id LIMIT ?`, limit)
      : await queries.all(`${PROJECT} WHERE p.workspace = ? ORDER BY p.id LIMIT ?`, workspace, limit)
  return readable('project', rows, row => projectOf(row))
}

/** The first published projects, by workspace, then id. */
export async function listPublished(queries: Queries, limit: number): Promise<PublishedProject[]> {
  const sql = `${PROJECT} WHERE p.published_revision IS NOT NULL ORDER BY p.workspace, p.id LIMIT ?`
  return readable('project', await queries.all(sql, limit), row => projectOf(row)).records.filter(isPublished)
}

/** The projects that were published last, the latest first. */
export async function listLatest(queries: Queries, limit: number): Promise<PublishedProject[]> {
  const sql = `${PROJECT} WHERE p.published_revision IS NOT NULL ORDER BY p.published_at DESC LIMIT ?`
  return readable('project', await queries.all(sql, limit), row => projectOf(row)).records.filter(isPublished)
}

/** The workspace with projects, if it is the only one. */
export async function findOnlyWorkspace(queries: Queries): Promise<string | undefined> {
  const row = await queries.get('SELECT MIN(workspace) AS first, MAX(workspace) AS last FROM project')
  return row && row.first !== null && row.first === row.last ? textOf(row, 'first') : undefined
}

/** A published project. */
export type PublishedProject = ProjectRecord & { published: PublishedPointer }

/** Whether a project is published. */
export function isPublished(record: ProjectRecord): record is PublishedProject {
  return record.published !== undefined
}

/**
 * A workspace and its published projects, all as of one moment, except those with damaged rows. Undefined if the
 * workspace does not exist.
 */
export async function findPublished(
  queries: Queries,
  workspace: string,
): Promise<{ name: string; published: PublishedProject[]; damaged: DamagedContent[] } | undefined> {
  const rows = await queries.all(PUBLISHED, workspace)
  const [first] = rows
  if (!first) return undefined
  const projects = rows.filter(row => row.id !== null)
  const owner = projects[0] && workspaceIdOf(projects[0], 'workspace')
  const { records, damaged } = readable('project', projects, row => projectOf(row, owner))
  const name = readRow('workspace', { ...first, id: workspace, workspace: null }, row => textOf(row, 'workspace_name'))
  return { name, published: records.filter(isPublished), damaged }
}

const COLUMNS = `p.workspace, p.id, p.instance, p.created_at, p.updated_at, p.draft_snapshot, p.draft_name, p.draft_visibility,
  p.draft_revisions, p.draft_note, p.published_revision, p.published_at, p.published_visibility, p.published_revisions, p.file_key, p.edit,
  r.snapshot AS published_snapshot, r.name AS published_name,
  CASE WHEN EXISTS (SELECT 1 FROM copy c
    WHERE (c.source_workspace = p.workspace AND c.source_project = p.id)
       OR (c.target_workspace = p.workspace AND c.target_project = p.id)) THEN 1 ELSE 0 END AS copying`
const REVISION =
  'LEFT JOIN revision r ON r.workspace = p.workspace AND r.project = p.id AND r.number = p.published_revision'
const PROJECT = `SELECT ${COLUMNS} FROM project p ${REVISION}`
const PUBLISHED = `SELECT w.name AS workspace_name, ${COLUMNS} FROM workspace w
  LEFT JOIN project p ON p.workspace = w.id AND p.published_revision IS NOT NULL ${REVISION}
  WHERE w.id = ? ORDER BY p.id`

function workspaceOf(row: Row): WorkspaceRecord {
  return { id: workspaceIdOf(row, 'id'), name: textOf(row, 'name') }
}

/** @throws {DamagedContent} */
function readProject(row: Row): ProjectRecord {
  return readRow('project', row, () => projectOf(row))
}

/** `workspace` is the workspace of the row, if already parsed. */
function projectOf(row: Row, workspace = workspaceIdOf(row, 'workspace')): ProjectRecord {
  const draft = {
    snapshot: parseHash(textOf(row, 'draft_snapshot')),
    name: textOf(row, 'draft_name'),
    visibility: visibilityOf(row, 'draft_visibility'),
    revisions: revisionsOf(row, 'draft_revisions'),
  }
  const published = publishedOf(row, draft.snapshot)
  const draftNote = nullable(row, 'draft_note', textOf)
  const edit = nullable(row, 'edit', textOf)
  return {
    workspace,
    project: projectIdOf(row, 'id'),
    instance: textOf(row, 'instance'),
    status: projectStatus({
      isCopying: numberOf(row, 'copying') === 1,
      isPublished: published !== undefined,
      isDraftPublished: published !== undefined && isServed(draft, published),
    }),
    createdAt: dateOf(row, 'created_at'),
    updatedAt: dateOf(row, 'updated_at'),
    draft,
    ...(draftNote !== undefined && { draftNote }),
    ...(published && { published }),
    fileKey: numberOf(row, 'file_key'),
    ...(edit !== undefined && { edit }),
  }
}

/** Whether publishing this draft would change nothing in the published revision. */
export function isServed(draft: ProjectRecord['draft'], published: PublishedPointer): boolean {
  return (
    draft.snapshot === published.snapshot &&
    draft.visibility === published.visibility &&
    draft.revisions === published.revisions
  )
}

/** `known` is a hash that the snapshot may equal; then the same string is reused. */
function publishedOf(row: Row, known: Hash): PublishedPointer | undefined {
  const revision = nullable(row, 'published_revision', numberOf)
  if (revision === undefined) return undefined
  const snapshot = textOf(row, 'published_snapshot')
  return {
    revision,
    snapshot: snapshot === known ? known : parseHash(snapshot),
    name: textOf(row, 'published_name'),
    publishedAt: dateOf(row, 'published_at'),
    visibility: visibilityOf(row, 'published_visibility'),
    revisions: revisionsOf(row, 'published_revisions'),
  }
}

function workspaceIdOf(row: Row, column: string): WorkspaceId {
  const id = textOf(row, column)
  if (!isStoredWorkspaceId(id))
    throw new Error(`the catalogue has a workspace with an invalid id: ${JSON.stringify(id)}`)
  return id
}

function projectIdOf(row: Row, column: string): ProjectId {
  const id = textOf(row, column)
  if (!isProjectId(id)) throw new Error(`the catalogue has a project with an invalid id: ${JSON.stringify(id)}`)
  return id
}

export function visibilityOf(row: Row, column: string): Visibility {
  return textOf(row, column) === 'public' ? 'public' : 'private'
}

function revisionsOf(row: Row, column: string): Draft['revisions'] {
  return textOf(row, column) === 'served' ? 'served' : 'private'
}
