import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Reviewers } from '#brand/draft.ts'
import {
  type Hash,
  isProjectId,
  isStoredWorkspaceId,
  type PlaceRef,
  type ProjectId,
  type ProjectRef,
  type WorkspaceId,
} from '#brand/ids.ts'
import { parseHash } from '#brand/snapshot.ts'
import { type ProjectStatus, projectStatus } from '#brand/status.ts'
import type { WorkspaceProfile, WorkspaceTheme } from '#brand/workspace-theme.ts'
import { type Readable, readRow } from '../database/damaged-row.ts'
import type { Queries, Row } from '../database/database.ts'
import {
  choice,
  date,
  defineRows,
  defineTable,
  derive,
  flag,
  group,
  isStringList,
  json,
  jsonObject,
  optional,
  type Property,
  type RecordOf,
  readTexts,
  strings,
  text,
  textAs,
  unprinted,
  whole,
} from '../database/table.ts'

// Workspaces and projects, and the columns of other tables that are about them.

const parseWorkspaceId = unlessRepeated((id: string): WorkspaceId => {
  if (isStoredWorkspaceId(id)) return id
  throw new Error(`the catalogue has a workspace with an invalid id: ${JSON.stringify(id)}`)
})

function parseProjectId(id: string): ProjectId {
  if (isProjectId(id)) return id
  throw new Error(`the catalogue has a project with an invalid id: ${JSON.stringify(id)}`)
}

const parseSnapshot = unlessRepeated(parseHash)

/** Parses a string unless it equals the one before it: the rows of a workspace share its id, and often both snapshots. */
function unlessRepeated<Value extends string>(parse: (text: string) => Value): (text: string) => Value {
  let latest: Value | undefined
  return text => {
    if (text !== latest) latest = parse(text)
    return latest
  }
}

export function snapshot(column: string) {
  return textAs(column, parseSnapshot)
}

export function visibility(column: string) {
  return choice(column, 'private', 'public')
}

/** The version of the facts of pictures with which content is shown. */
export function factsVersion(column: string) {
  return unprinted(whole(column, 1))
}

/** Whether readers may see earlier revisions. */
function revisions(column: string) {
  return choice(column, 'private', 'served')
}

export const WORKSPACES = defineRows(
  'workspace',
  { id: textAs('id', parseWorkspaceId), name: text('name') },
  'workspace',
)

/** A workspace with its served name. */
export type WorkspaceRecord = RecordOf<typeof WORKSPACES>

/** A project by id and instance. The instance distinguishes it from a later project with the same id. */
export type ProjectInstance = { project: string; instance: string }

/** The numbers of reviewers that a draft may ask for. */
const COUNTS: ReadonlySet<unknown> = new Set([1, 2, 3, 4, 5, 6, 7, 8])

function reviewers(column: string) {
  const isReviewers = (value: unknown) => COUNTS.has(value) || isStringList(value)
  return optional(json<Reviewers>(column, 'a number from 1 to 8 or a JSON list of addresses', isReviewers))
}

const PROJECT_KEY = {
  workspace: textAs('workspace', parseWorkspaceId),
  project: textAs('id', parseProjectId),
  /** Random, so that it is never used again after the project is deleted. */
  instance: text('instance'),
}

const PROJECT = {
  ...PROJECT_KEY,
  createdAt: date('created_at'),
  updatedAt: date('updated_at'),
  draft: group({
    snapshot: snapshot('draft_snapshot'),
    name: text('draft_name'),
    visibility: visibility('draft_visibility'),
    revisions: revisions('draft_revisions'),
    facts: factsVersion('draft_facts'),
  }),
  /** The note for the publication of the draft. */
  draftNote: optional(text('draft_note')),
  /** A number in the addresses of the project files; a higher one changes them all. */
  fileKey: whole('file_key', 1),
  /** Who must review the draft, as the latest import says; absent if no one must. */
  reviewers: reviewers('draft_reviewers'),
  /** Who had to review the draft that was published last. */
  publishedReviewers: reviewers('published_reviewers'),
  /** The addresses of the people whose commits changed the draft since then. */
  authors: unprinted(strings('draft_authors')),
  /** How far the draft of a translation is; absent for other projects. */
  untranslated: optional(group({ missing: whole('draft_missing'), stale: whole('draft_stale') })),
  /** Changes with its edit links; absent if it has none. */
  edit: optional(text('edit')),
}

/** The columns of the served revision. */
const POINTER = {
  revision: whole('published_revision', 1),
  publishedAt: date('published_at'),
  visibility: visibility('published_visibility'),
  revisions: revisions('published_revisions'),
}

/** Projects as they are written. */
export const PROJECTS = defineTable('project', { ...PROJECT, published: optional(group(POINTER)) })

/** A project `p` with its served revision `r`, and whether a copy from or to it is under way. */
const JOINED = `p.*, r.snapshot, r.name, r.facts,
    CASE WHEN EXISTS (SELECT 1 FROM copy c
      WHERE (c.source_workspace = p.workspace AND c.source_project = p.id)
         OR (c.target_workspace = p.workspace AND c.target_project = p.id)) THEN 1 ELSE 0 END AS copying`
const REVISION =
  'LEFT JOIN revision r ON r.workspace = p.workspace AND r.project = p.id AND r.number = p.published_revision'
const READ_PROJECTS = defineRows(
  `(SELECT ${JOINED} FROM project p ${REVISION}) AS project`,
  {
    ...PROJECT,
    isCopying: flag('copying'),
    /** The served revision; absent while nothing is published. */
    published: optional(
      group({
        ...POINTER,
        snapshot: inRevision(snapshot('snapshot')),
        name: inRevision(text('name')),
        facts: inRevision(factsVersion('facts')),
      }),
    ),
  },
  'project',
)

/** A column of the served revision's own row, which may be the damaged or missing one. */
function inRevision<Value>({ read, ...property }: Property<Value>): Property<Value> {
  const keyOf = ({ workspace, id, published_revision }: Row) => ({ workspace, project: id, number: published_revision })
  return { ...property, read: row => readRow('revision', keyOf(row), () => read(row)) }
}

type ProjectRow = RecordOf<typeof READ_PROJECTS>

/** A project: its pointers, and data derived from them. */
export type ProjectRecord = Omit<ProjectRow, 'isCopying'> & { status: ProjectStatus }

/** The served revision of a project. */
export type PublishedPointer = NonNullable<ProjectRecord['published']>

export function findWorkspace(queries: Queries, id: string): Promise<WorkspaceRecord | undefined> {
  return WORKSPACES.one(queries, 'WHERE id = ?', id)
}

/** All workspaces, by id. */
export function listWorkspaces(queries: Queries): Promise<WorkspaceRecord[]> {
  return WORKSPACES.all(queries, 'ORDER BY id')
}

/** The served fields of a workspace. */
export async function findProfile(queries: Queries, id: string): Promise<WorkspaceProfile | undefined> {
  return (await PROFILES.one(queries, 'WHERE id = ?', id))?.profile
}

export const PROFILES = defineRows(
  'workspace',
  {
    id: text('id'),
    profile: group({ name: text('name'), contact: optional(text('contact')), theme: theme('theme') }),
  },
  'workspace',
)

/** The ids of workspaces that serve a theme. */
export function listThemed(queries: Queries): Promise<string[]> {
  return readTexts(queries, 'SELECT id FROM workspace WHERE theme IS NOT NULL')
}

/** The files of the served and drafted themes of workspaces. A damaged theme may have any file of its workspace. */
export async function listLogos(queries: Queries): Promise<Readable<{ workspace: WorkspaceId; hashes: Hash[] }>> {
  const { records, damaged } = await THEMES.readable(queries, 'ORDER BY id')
  const logos = records.map(({ id, served, draft }) => ({ workspace: id, hashes: [...served, ...draft] }))
  return { records: logos, damaged }
}

export const THEMES = defineRows(
  'workspace',
  { id: textAs('id', parseWorkspaceId), served: fileHashes('theme'), draft: fileHashes('draft_theme') },
  'workspace',
)

function fileHashes(column: string) {
  return derive(theme(column), theme =>
    [...(theme?.logo ? [theme.logo] : []), ...(theme?.fonts ?? [])].map(({ hash }) => parseHash(hash)),
  )
}

function theme(column: string) {
  return optional(jsonObject<WorkspaceTheme>(column))
}

export async function findProject(
  queries: Queries,
  workspace: string,
  project: string,
): Promise<ProjectRecord | undefined> {
  const row = await READ_PROJECTS.one(queries, 'WHERE workspace = ? AND id = ?', workspace, project)
  return row && projectOf(row)
}

/** All projects, or the projects of one workspace, by id. */
export async function listProjects(queries: Queries, workspace?: string): Promise<ProjectRecord[]> {
  return (await READ_PROJECTS.all(queries, ...inOrder(workspace))).map(projectOf)
}

/** The same projects for work on other projects than a damaged one. */
export async function listSoundProjects(queries: Queries, workspace?: string): Promise<ProjectRecord[]> {
  return (await READ_PROJECTS.sound(queries, ...inOrder(workspace))).map(projectOf)
}

function inOrder(workspace?: string): [rest: string, ...values: string[]] {
  return workspace === undefined ? ['ORDER BY workspace, id'] : ['WHERE workspace = ? ORDER BY id', workspace]
}

/** The first published projects, by workspace, then id, except damaged ones, with which a service starts too. */
export function listPublished(queries: Queries, limit: number): Promise<PublishedProject[]> {
  return readPublished(queries, 'ORDER BY workspace, id LIMIT ?', limit)
}

/** The served snapshots of the projects that have changed after a change; of all projects after 0. */
export async function* servedSince(queries: Queries, number: number): AsyncGenerator<ServedSnapshot> {
  const since = 'FROM change WHERE number > ?'
  // A change without a project is about all of its workspace. The cast tells Postgres the type of the parameter.
  const isChanged = `(workspace, id) IN (SELECT workspace, project ${since}) OR workspace IN (SELECT workspace ${since} AND project IS NULL)`
  const rest = `WHERE (CAST(? AS BIGINT) = 0 OR ${isChanged}) AND (workspace, id) > (?, ?) ORDER BY workspace, id LIMIT 100`
  // Each query begins after the last project of the one before.
  let lastRecord: ServedSnapshot | undefined
  do {
    const after = [lastRecord?.workspace ?? '', lastRecord?.project ?? '']
    const records = await SERVED.sound(queries, rest, number, number, number, ...after)
    yield* records
    await nextTurn()
    lastRecord = records.at(-1)
  } while (lastRecord)
}

/** The served snapshots of projects, with few columns, because a large store has thousands. */
const SERVED = defineRows(
  `(SELECT p.workspace, p.id, p.instance, r.snapshot, r.number AS revision FROM project p ${REVISION} WHERE r.snapshot IS NOT NULL) AS project`,
  { ...PROJECT_KEY, snapshot: snapshot('snapshot'), revision: whole('revision') },
  'project',
)

/** A project and its served snapshot. */
export type ServedSnapshot = RecordOf<typeof SERVED>

/** The projects that were published last, the latest first, except damaged ones. */
export function listLatest(queries: Queries, limit: number): Promise<PublishedProject[]> {
  return readPublished(queries, 'ORDER BY published_at DESC LIMIT ?', limit)
}

async function readPublished(queries: Queries, rest: string, ...values: number[]): Promise<PublishedProject[]> {
  const rows = await READ_PROJECTS.sound(queries, `WHERE published_revision IS NOT NULL ${rest}`, ...values)
  return rows.map(projectOf).filter(isPublished)
}

/** The workspace with projects, if it is the only one. */
export async function findOnlyWorkspace(queries: Queries): Promise<string | undefined> {
  const { first, last } = (await ENDS.one(queries, '')) ?? {}
  return first === last ? first : undefined
}

const ENDS = defineRows('project', {
  first: optional(text('MIN(workspace) AS first')),
  last: optional(text('MAX(workspace) AS last')),
})

/** A published project. */
export type PublishedProject = ProjectRecord & { published: PublishedPointer }

/** Whether a project is published. */
export function isPublished(record: ProjectRecord): record is PublishedProject {
  return record.published !== undefined
}

/** The published projects that everyone may see, and the others: also one that does not say which. */
export type PublishedProjects = Readonly<Record<'open' | 'hidden', Readable<PublishedProject>>>

/** A workspace and its published projects, all as of one moment. Undefined if the workspace does not exist. */
export async function findPublished(
  queries: Queries,
  workspace: string,
): Promise<{ name: string; published: PublishedProjects } | undefined> {
  // A workspace without published projects is one row without a project.
  const rows = await queries.all(PUBLISHED, workspace)
  const [first] = rows
  if (!first) return undefined
  const isOpen = ({ published_visibility: visibility }: Row) => visibility === 'public'
  const read = (isWanted: (row: Row) => boolean) => {
    const projects = rows.filter(row => row.id !== null && isWanted(row))
    const { records, damaged } = READ_PROJECTS.readAll(queries, projects)
    return { records: records.map(projectOf).filter(isPublished), damaged }
  }
  const { name } = WORKSPACES.read({ id: workspace, name: first.workspace_name })
  return { name, published: { open: read(isOpen), hidden: read(row => !isOpen(row)) } }
}

const PUBLISHED = `SELECT ${READ_PROJECTS.columns}, workspace_name FROM (
    SELECT w.name AS workspace_name, ${JOINED} FROM workspace w
    LEFT JOIN project p ON p.workspace = w.id AND p.published_revision IS NOT NULL ${REVISION}
    WHERE w.id = ?
  ) AS project ORDER BY id`

/** A row with the status that follows from it. */
function projectOf({ isCopying, ...project }: ProjectRow): ProjectRecord {
  const status = projectStatus({
    isCopying,
    isPublished: project.published !== undefined,
    isDraftPublished: !isWaiting(project),
  })
  return { ...project, status }
}

/** Whether a draft waits: publishing it would make a revision that differs from the published one. */
export function isWaiting({ draft, published }: Pick<ProjectRecord, 'draft' | 'published'>): boolean {
  return published === undefined || !isSameContent(draft, published)
}

type Pointed = Pick<PublishedPointer, 'snapshot' | 'visibility' | 'revisions'>

/** Whether publishing one of these would make the same revision as the other. */
export function isSameContent(one: Pointed, other: Pointed): boolean {
  return one.snapshot === other.snapshot && one.visibility === other.visibility && one.revisions === other.revisions
}

/** Sets a column of a project that is not part of its content, inside a transaction; false if it has this value already. */
export async function setColumn(
  queries: Queries,
  { workspace, project }: ProjectRef,
  column: 'edit' | 'source' | 'draft_findings' | 'draft_reviewers',
  value: string | null,
): Promise<boolean> {
  const sql = `UPDATE project SET ${column} = ? WHERE workspace = ? AND id = ? AND ${column} IS DISTINCT FROM ?`
  return (await queries.run(sql, value, workspace, project, value)) > 0
}

/** A workspace or a project, and whether it has something to serve; undefined if it does not exist. */
export async function findPlace(queries: Queries, { workspace, project }: PlaceRef) {
  if (project === undefined) return (await findWorkspace(queries, workspace)) && { isServed: true }
  const record = await findProject(queries, workspace, project)
  return record && { isServed: record.published !== undefined }
}
