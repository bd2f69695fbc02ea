import { randomBytes } from 'node:crypto'
import type { Draft } from '#brand/draft.ts'
import type { Hash, ProjectId, WorkspaceId } from '#brand/ids.ts'
import type { WorkspaceProfile } from '#brand/workspace-theme.ts'
import { pick } from '#platform/base/object.ts'
import type { Queries } from '../database/database.ts'
import { defineRows, defineTable, number, text, whole } from '../database/table.ts'
import {
  findProject,
  isSameContent,
  PROJECTS,
  type ProjectRecord,
  type PublishedPointer,
  type PublishedProject,
} from './catalogue.ts'
import { recordChange } from './changes.ts'
import { recordEvent } from './events.ts'
import { findNewest, REVISIONS, type Reviewed } from './history.ts'

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

/** Points the draft of a project at a snapshot. If it is already the draft, nothing changes. */
export async function saveDraft(
  queries: Queries,
  workspace: WorkspaceId,
  draft: DraftFields,
  snapshot: Hash,
  now: Date,
): Promise<{ changed: boolean }> {
  const existing = await findProject(queries, workspace, draft.project)
  const { project, note, authors = [] } = draft
  const pointer = { snapshot, ...pick(draft, ['name', 'visibility', 'revisions', 'facts']) }
  if (existing && isSameContent(existing.draft, pointer)) return { changed: false }
  const changes = { updatedAt: now, draftNote: note, draft: pointer }
  if (existing) {
    await PROJECTS.set(queries, changes, OF_PROJECT, workspace, project)
    await queries.run(`UPDATE project SET draft_findings = NULL ${OF_PROJECT}`, workspace, project)
  } else {
    const instance = randomBytes(6).toString('base64url')
    const fileKey = (await DELETED.one(queries, OF_PROJECT, workspace, project))?.nextFileKey ?? 1
    await PROJECTS.add(queries, { workspace, project, instance, createdAt: now, fileKey, authors, ...changes })
  }
  await recordChange(queries, workspace, project)
  return { changed: true }
}

/** Saves how far a translation is, which changes with its original. */
export async function saveUntranslated(
  queries: Queries,
  workspace: WorkspaceId,
  { project, untranslated }: Pick<Draft, 'project' | 'untranslated'>,
): Promise<void> {
  await PROJECTS.set(queries, { untranslated }, OF_PROJECT, workspace, project)
}

/** Points a draft, its plan and the latest answers about it at a snapshot with other styles or files of its original. */
export async function moveDraft(queries: Queries, record: ProjectRecord, snapshot: Hash, now: Date): Promise<void> {
  const { workspace, project, draft } = record
  if (snapshot === draft.snapshot) return
  await PROJECTS.set(queries, { updatedAt: now, draft: { ...draft, snapshot } }, OF_PROJECT, workspace, project)
  for (const table of ['planned_publication', 'review']) {
    const sql = `UPDATE ${table} SET snapshot = ? WHERE workspace = ? AND project = ? AND snapshot = ?`
    await queries.run(sql, snapshot, workspace, project, draft.snapshot)
  }
  await recordChange(queries, workspace, project)
}

const OF_PROJECT = 'WHERE workspace = ? AND id = ?'
/** The last numbers of deleted projects, after which those of a later project with the same id begin. */
export const DELETED = defineTable('deleted_project', {
  workspace: text('workspace'),
  project: text('id'),
  lastRevision: whole('last_revision'),
  nextFileKey: whole('next_file_key', 1),
})

type DraftFields = Pick<Draft, 'project' | 'name' | 'visibility' | 'revisions'> & {
  /** The version of the facts of its pictures. */
  facts: number
  /** The note of its publication, unless that has another. */
  note?: string | undefined
  /** The addresses of the people who have made a new project. */
  authors?: readonly string[]
}

/** The served properties of a revision. */
export type Served = Pick<PublishedPointer, 'snapshot' | 'name' | 'visibility' | 'revisions' | 'facts'>

/** Serves the name, the contact and the theme from the latest import of the workspace. */
export async function serveWorkspaceFields(queries: Queries, workspace: WorkspaceId): Promise<void> {
  await queries.run(
    'UPDATE workspace SET name = draft_name, contact = draft_contact, theme = draft_theme WHERE id = ?',
    workspace,
  )
  await recordChange(queries, workspace)
}

/** The note in the history, the name of the person who publishes, and the review. */
export type Publisher = { note?: string | undefined; who?: string | undefined; reviewed?: Reviewed }

/** Adds a revision to the history of a project and serves it. Returns its number. */
export async function addRevision(
  queries: Queries,
  { workspace, project }: Pick<ProjectRecord, 'workspace' | 'project'>,
  served: Served,
  by: Publisher,
  now: Date,
): Promise<number> {
  const number = await nextRevision(queries, workspace, project)
  const { snapshot, name, visibility, revisions, facts } = served
  const revision = {
    workspace,
    project,
    number,
    snapshot,
    name,
    publishedAt: now,
    visibility,
    facts,
    reviewed: {},
    ...by,
  }
  await REVISIONS.add(queries, revision)
  const published = { revision: number, publishedAt: now, visibility, revisions }
  await PROJECTS.set(queries, { published, updatedAt: now }, OF_PROJECT, workspace, project)
  await recordChange(queries, workspace, project, 'published')
  const record = await findProject(queries, workspace, project)
  if (!record?.published) throw new Error('the store did not keep a publication')
  await recordEvent(queries, 'published', record, record.published, now)
  return number
}

/** Stops serving a project. */
export async function unpublishProject(queries: Queries, record: PublishedProject, now: Date): Promise<void> {
  const { workspace, project, published } = record
  await PROJECTS.set(queries, { published: undefined, updatedAt: now }, OF_PROJECT, workspace, project)
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
  const lastRevision = (await nextRevision(queries, workspace, project)) - 1
  const newest = await findNewest(queries, record)
  await queries.run(`DELETE FROM deleted_project ${OF_PROJECT}`, workspace, project)
  await DELETED.add(queries, { workspace, project, lastRevision, nextFileKey: fileKey + 1 })
  for (const table of ['revision', 'review', 'answer', 'planned_publication', 'mail', 'usage', 'notice'])
    await queries.run(`DELETE FROM ${table} WHERE workspace = ? AND project = ?`, workspace, project)
  await queries.run('DELETE FROM project WHERE workspace = ? AND id = ?', workspace, project)
  await recordChange(queries, workspace, project, published && 'unpublished')
  // Clients never heard of a project that was never published.
  if (newest) await recordEvent(queries, 'deleted', record, { ...newest, revision: newest.number }, now)
}

/** The number of the next revision of a project, also after the last one of a deleted project with this id. */
async function nextRevision(queries: Queries, workspace: WorkspaceId, project: ProjectId): Promise<number> {
  return ((await LATEST.one(queries, '', workspace, project, workspace, project))?.number ?? 0) + 1
}

const LATEST = defineRows(
  `(SELECT number FROM revision WHERE workspace = ? AND project = ?
    UNION ALL SELECT last_revision AS number FROM deleted_project WHERE workspace = ? AND id = ?) AS numbers`,
  { number: number('COALESCE(MAX(number), 0) AS number') },
)
