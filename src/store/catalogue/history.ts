import type { ProjectRef } from '#brand/ids.ts'
import { field, isObject } from '#platform/base/object.ts'
import type { Queries } from '../database/database.ts'
import { date, defineTable, isStringList, json, optional, type RecordOf, text, whole } from '../database/table.ts'
import { factsVersion, type PublishedPointer, snapshot, visibility } from './catalogue.ts'

/** The review of a revision, as `history --json` prints it. */
export type Reviewed = {
  /** The names of those who approved it. */
  approvers?: string[]
  /** The requests for changes that were open when it was published. */
  overRequests?: { who: string; comment: string | null; at: string }[]
  /** When somebody planned this publication. */
  plannedAt?: string
  /** The planned publications that ended without one while it was the newest. */
  endedPlans?: PlanState[]
}

/** A plan, as `--json` prints it. `reason` is the code of why it ended without a publication; `note` that of a cancelled one. */
export type PlanState = {
  at: string
  who: string | null
  plannedAt: string
  endedAt?: string
  reason?: string
  note?: string
}

/** Revisions of projects. */
export const REVISIONS = defineTable('revision', {
  workspace: text('workspace'),
  project: text('project'),
  number: whole('number', 1),
  snapshot: snapshot('snapshot'),
  name: text('name'),
  publishedAt: date('published_at'),
  /** The visibility when it was published. */
  visibility: visibility('visibility'),
  note: optional(text('note')),
  /** The name of the person who published it; absent if unknown. */
  who: optional(text('who')),
  /** The people who approved it, and the open requests and plans. */
  reviewed: json<Reviewed>('reviewed', 'a JSON object with the people who reviewed it', isReviewed),
  /** When it was retracted. It stays in the history, but is no longer served. */
  retractedAt: optional(date('retracted_at')),
  /** When gc freed its content. */
  freedAt: optional(date('freed_at')),
  facts: factsVersion('facts'),
})

function isReviewed(value: unknown): boolean {
  const lists = ['overRequests', 'endedPlans'].map(name => field(value, name) ?? [])
  return isObject(value) && isStringList(field(value, 'approvers') ?? []) && lists.every(isListOfObjects)
}

function isListOfObjects(value: unknown): boolean {
  return Array.isArray(value) && value.every(isObject)
}

export type RevisionRecord = RecordOf<typeof REVISIONS>

/** The history of a project, newest first. */
export function listRevisions(queries: Queries, workspace: string, project: string): Promise<RevisionRecord[]> {
  return REVISIONS.all(queries, NEWEST_FIRST, workspace, project)
}

const NEWEST_FIRST = 'WHERE workspace = ? AND project = ? ORDER BY number DESC'

export function findRevision(
  queries: Queries,
  workspace: string,
  project: string,
  number: number,
): Promise<RevisionRecord | undefined> {
  return REVISIONS.one(queries, 'WHERE workspace = ? AND project = ? AND number = ?', workspace, project, number)
}

export function findNewest(queries: Queries, { workspace, project }: ProjectRef): Promise<RevisionRecord | undefined> {
  return REVISIONS.one(queries, `${NEWEST_FIRST} LIMIT 1`, workspace, project)
}

/** A revision as if it were published, for the readers of a project. */
export function pointerTo(
  { number, ...revision }: RevisionRecord,
  { visibility, revisions }: Pick<PublishedPointer, 'visibility' | 'revisions'>,
): PublishedPointer {
  const { snapshot, name, publishedAt, facts } = revision
  return { revision: number, snapshot, name, publishedAt, visibility, revisions, facts }
}

/** Notes at the newest revision of a project that a plan has ended, inside a transaction. */
export async function noteEndedPlan(queries: Queries, ref: ProjectRef, plan: PlanState): Promise<void> {
  const newest = await findNewest(queries, ref)
  if (!newest) return
  const reviewed = { ...newest.reviewed, endedPlans: [...(newest.reviewed.endedPlans ?? []), plan] }
  const where = 'WHERE workspace = ? AND project = ? AND number = ?'
  await REVISIONS.set(queries, { reviewed }, where, ref.workspace, ref.project, newest.number)
}

/** Marks a revision as retracted or freed, inside a transaction. A second time changes nothing. */
export async function markRevision(
  queries: Queries,
  { workspace, project, number }: ProjectRef & { number: number },
  mark: 'retracted_at' | 'freed_at',
  now: Date,
): Promise<void> {
  const sql = `UPDATE revision SET ${mark} = ? WHERE workspace = ? AND project = ? AND number = ? AND ${mark} IS NULL`
  await queries.run(sql, now.getTime(), workspace, project, number)
}
