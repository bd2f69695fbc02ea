import { randomBytes } from 'node:crypto'
import type { Draft } from '../../brand/draft.ts'
import type { Hash, ProjectId, WorkspaceId } from '../../brand/ids.ts'
import type { WorkspaceProfile } from '../../brand/workspace-theme.ts'
import { numberOf, type Queries } from '../database/database.ts'
import { findProject, type ProjectRecord, type PublishedPointer, type PublishedProject } from './catalogue.ts'
import { recordChange } from './changes.ts'
import { recordEvent } from './events.ts'
import { listRevisions } from './history.ts'

/* All functions here require a transaction: a pointer moves together with all dependent data. */

/** Creates the workspace on its first import. Later, records its other fields for the next publication. */
export async function saveWorkspace(
  queries: Queries,
  { id, ...profile }: WorkspaceProfile & { id: WorkspaceId },
  now: Date,
): Promise<void> {
  const { name, contact = null, theme } = profile
  const fields = [name, contact, theme ? JSON.stringify(theme) : null]
  const added = await queries.run(
    `INSERT INTO workspace (id, created_at, name, contact, theme, draft_name, draft_contact, draft_theme)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
    id,
    now.getTime(),
    ...fields,
    ...fields,
  )
  if (added > 0) await recordChange(queries, id)
  else
    await queries.run(
      'UPDATE workspace SET draft_name = ?, draft_contact = ?, draft_theme = ? WHERE id = ?',
      ...fields,
      id,
    )
}

/** Points the draft of a project at a snapshot. If it is already the draft, nothing changes, not even `updatedAt`. */
export async function saveDraft(
  queries: Queries,
  workspace: WorkspaceId,
  draft: DraftFields,
  snapshot: Hash,
  now: Date,
): Promise<{ changed: boolean }> {
  const known = await findProject(queries, workspace, draft.project)
  if (known && isDraft(known, snapshot, draft)) return { changed: false }
  if (known) await updateDraft(queries, workspace, draft, snapshot, now)
  else await addProject(queries, workspace, draft, snapshot, now)
  await recordChange(queries, workspace, draft.project)
  return { changed: true }
}

type DraftFields = Pick<Draft, 'project' | 'name' | 'visibility' | 'revisions'> & {
  /** The note of its publication, unless that has another. */
  note?: string | undefined
}

function isDraft(known: ProjectRecord, snapshot: Hash, draft: Pick<Draft, 'visibility' | 'revisions'>): boolean {
  return (
    known.draft.snapshot === snapshot &&
    known.draft.visibility === draft.visibility &&
    known.draft.revisions === draft.revisions
  )
}

async function updateDraft(
  queries: Queries,
  workspace: WorkspaceId,
  { project, name, visibility, revisions, note }: DraftFields,
  snapshot: Hash,
  now: Date,
): Promise<void> {
  await queries.run(
    `UPDATE project SET updated_at = ?, draft_snapshot = ?, draft_name = ?, draft_visibility = ?, draft_revisions = ?,
       draft_note = ?, draft_findings = NULL
     WHERE workspace = ? AND id = ?`,
    now.getTime(),
    snapshot,
    name,
    visibility,
    revisions,
    note ?? null,
    workspace,
    project,
  )
}

async function addProject(
  queries: Queries,
  workspace: WorkspaceId,
  { project, name, visibility, revisions, note }: DraftFields,
  snapshot: Hash,
  now: Date,
): Promise<void> {
  await queries.run(
    `INSERT INTO project (workspace, id, instance, created_at, updated_at, draft_snapshot, draft_name, draft_visibility, draft_revisions, draft_note, file_key)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, COALESCE((SELECT next_file_key FROM deleted_project WHERE workspace = ? AND id = ?), 1))`,
    workspace,
    project,
    randomBytes(6).toString('base64url'),
    now.getTime(),
    now.getTime(),
    snapshot,
    name,
    visibility,
    revisions,
    note ?? null,
    workspace,
    project,
  )
}

/** The served properties of a revision. */
export type Served = Pick<PublishedPointer, 'snapshot' | 'name' | 'visibility' | 'revisions'>

/** Serves the name, the contact and the theme from the latest import of the workspace. */
export async function serveWorkspaceFields(queries: Queries, workspace: WorkspaceId): Promise<void> {
  await queries.run(
    'UPDATE workspace SET name = COALESCE(draft_name, name), contact = draft_contact, theme = draft_theme WHERE id = ?',
    workspace,
  )
  await recordChange(queries, workspace)
}

/** The note in the history, and the name of the person who publishes. */
export type Publisher = { note?: string | undefined; who?: string | undefined }

/** Adds a revision to the history of a project and serves it. Returns its number. */
export async function addRevision(
  queries: Queries,
  { workspace, project }: Pick<ProjectRecord, 'workspace' | 'project'>,
  served: Served,
  { note, who }: Publisher,
  now: Date,
): Promise<number> {
  const number = await nextRevision(queries, workspace, project)
  await queries.run(
    `INSERT INTO revision (workspace, project, number, snapshot, name, published_at, visibility, note, who)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    workspace,
    project,
    number,
    served.snapshot,
    served.name,
    now.getTime(),
    served.visibility,
    note ?? null,
    who ?? null,
  )
  await queries.run(
    `UPDATE project SET published_revision = ?, published_at = ?, published_visibility = ?, published_revisions = ?, updated_at = ?
     WHERE workspace = ? AND id = ?`,
    number,
    now.getTime(),
    served.visibility,
    served.revisions,
    now.getTime(),
    workspace,
    project,
  )
  await recordChange(queries, workspace, project, 'published')
  const record = await findProject(queries, workspace, project)
  if (!record?.published) throw new Error('the store did not keep a publication')
  await recordEvent(queries, 'published', record, record.published, now)
  return number
}

/** Stops serving a project. */
export async function unpublishProject(queries: Queries, record: PublishedProject, now: Date): Promise<void> {
  const { workspace, project, published } = record
  await queries.run(
    `UPDATE project SET published_revision = NULL, published_at = NULL, published_visibility = NULL, published_revisions = NULL, updated_at = ?
     WHERE workspace = ? AND id = ?`,
    now.getTime(),
    workspace,
    project,
  )
  await recordChange(queries, workspace, project, 'unpublished')
  await recordEvent(queries, 'unpublished', record, published, now)
}

/** Changes the addresses of all files of a project. */
export async function rotateFileKey(queries: Queries, { workspace, project }: ProjectRecord): Promise<void> {
  await queries.run('UPDATE project SET file_key = file_key + 1 WHERE workspace = ? AND id = ?', workspace, project)
  await recordChange(queries, workspace, project)
}

/**
 * Removes a project and its history. The numbers of its revisions and the addresses of its files are never used again,
 * not even by a later project of the same id.
 */
export async function removeProject(queries: Queries, record: ProjectRecord, now: Date): Promise<void> {
  const { workspace, project, fileKey, published } = record
  const last = (await nextRevision(queries, workspace, project)) - 1
  const [newest] = (await listRevisions(queries, workspace, project)).records
  await queries.run('DELETE FROM deleted_project WHERE workspace = ? AND id = ?', workspace, project)
  await queries.run(
    'INSERT INTO deleted_project (workspace, id, last_revision, next_file_key) VALUES (?, ?, ?, ?)',
    workspace,
    project,
    last,
    fileKey + 1,
  )
  for (const table of ['revision', 'review', 'usage'])
    await queries.run(`DELETE FROM ${table} WHERE workspace = ? AND project = ?`, workspace, project)
  await queries.run('DELETE FROM project WHERE workspace = ? AND id = ?', workspace, project)
  await recordChange(queries, workspace, project, published && 'unpublished')
  // A project that was never published stays unknown.
  if (newest) await recordEvent(queries, 'deleted', record, { ...newest, revision: newest.number }, now)
}

async function nextRevision(queries: Queries, workspace: WorkspaceId, project: ProjectId): Promise<number> {
  const row = await queries.get(
    `SELECT COALESCE(MAX(number), 0) + 1 AS number FROM (
       SELECT number FROM revision WHERE workspace = ? AND project = ?
       UNION ALL SELECT last_revision AS number FROM deleted_project WHERE workspace = ? AND id = ?
     ) AS numbers`,
    workspace,
    project,
    workspace,
    project,
  )
  return row ? numberOf(row, 'number') : 1
}
