import type { Reviewers } from '#brand/draft.ts'
import type { ProjectRef } from '#brand/ids.ts'
import type { Queries } from '../database/database.ts'
import {
  address,
  choice,
  date,
  defineRows,
  defineTable,
  flag,
  number,
  optional,
  type RecordOf,
  text,
} from '../database/table.ts'
import { findProject, isWaiting, PROJECTS, type ProjectRecord, setColumn, snapshot } from './catalogue.ts'
import { recordChange } from './changes.ts'

const REVIEW = {
  workspace: text('workspace'),
  project: text('project'),
  /** The subject of a person, or the id of a share link after `share:`. */
  reviewer: text('reviewer'),
  who: text('who'),
  isSignedIn: flag('signed_in'),
  /** The draft may be published, or it needs changes. */
  answer: choice('answer', 'ask', 'approve'),
  comment: optional(text('comment')),
  /** The draft that the answer is about. */
  snapshot: snapshot('snapshot'),
  /** A digest of the other changes by publishing it. */
  settings: text('settings'),
  answeredAt: date('answered_at'),
  /** The issuer's settings and the address of a person. */
  signin: optional(text('signin')),
  email: optional(address('email')),
  /** When the person lost the right to answer. */
  endedAt: optional(date('ended_at')),
  /** When a manager dismissed the request, and their name. */
  dismissedAt: optional(date('dismissed_at')),
  dismissedBy: optional(text('dismissed_by')),
}

/** The latest answer of each person and each share link about the draft of a project. */
export const REVIEWS = defineTable('review', REVIEW)

/** The earlier answers. */
export const ANSWERS = defineTable('answer', REVIEW)

export type ReviewRecord = RecordOf<typeof REVIEWS>

/** The answer of a reviewer. */
export type Answer = ReviewRecord['answer']

/** An answer, and the share link through which it was given. */
export type GivenReview = ReviewRecord & { link?: ReviewLink }

/** A link that gave an answer, and the person who made it. Without an end, it is no longer in the store. */
type ReviewLink = {
  by?: string | undefined
  maker: Pick<ReviewRecord, 'reviewer' | 'email'>
  endsAt?: Date | undefined
}

/** Saves an answer instead of the earlier one of the same reviewer, which stays in the trail, inside a transaction. */
export async function saveReview(queries: Queries, review: ReviewRecord): Promise<void> {
  const { workspace, project, reviewer } = review
  const where = 'WHERE workspace = ? AND project = ? AND reviewer = ?'
  const keep = `INSERT INTO answer (${COLUMNS}) SELECT ${COLUMNS} FROM review ${where}`
  await queries.run(keep, workspace, project, reviewer)
  await queries.run(`DELETE FROM review ${where}`, workspace, project, reviewer)
  await REVIEWS.add(queries, review)
}

const COLUMNS = Object.values(REVIEW)
  .flatMap(({ columns }) => columns)
  .join(', ')

/**
 * The latest answers about a project, or about all projects, newest first; or the earlier ones, which later answers of
 * the same reviewers have replaced.
 */
export async function listReviews(
  queries: Queries,
  ref?: ProjectRef,
  which: 'latest' | 'earlier' = 'latest',
): Promise<GivenReview[]> {
  const order = 'ORDER BY answered_at DESC, reviewer'
  const rows = GIVEN[which]
  const given = ref
    ? await rows.all(queries, `WHERE workspace = ? AND project = ? ${order}`, ref.workspace, ref.project)
    : await rows.all(queries, order)
  return given.map(withLink)
}

/** An answer with its link, whose end is its expiry or its revocation, whichever is first. */
function withLink({
  by,
  maker,
  makerEmail,
  expiresMs,
  revokedMs,
  ...review
}: RecordOf<ReturnType<typeof givenIn>>): GivenReview {
  if (linkOf(review.reviewer) === undefined) return review
  const endTimes = [expiresMs, revokedMs].filter(end => end !== undefined)
  const endsAt = endTimes.length > 0 ? new Date(Math.min(...endTimes)) : undefined
  return { ...review, link: { by, maker: { reviewer: maker ?? '', email: makerEmail }, endsAt } }
}

/** Precedes the id of a link in the name of a reviewer. */
const LINK = 'share:'

/** The name of a share link as a reviewer. */
export function linkReviewer(id: string): string {
  return LINK + id
}

/** The id of the link that a reviewer is; undefined for a person. */
export function linkOf(reviewer: string): string | undefined {
  return reviewer.startsWith(LINK) ? reviewer.slice(LINK.length) : undefined
}

/** Answers with their links. */
const GIVEN = { latest: givenIn('review'), earlier: givenIn('answer') }

/** The answers of a table, each with the columns of its link if it was given through one. */
function givenIn(table: 'review' | 'answer') {
  return defineRows(
    `(SELECT r.*, s.made_by AS link_by, s.maker AS link_maker, s.maker_email AS link_email, s.expires_at AS link_expires, s.revoked_at AS link_revoked FROM ${table} r
      LEFT JOIN share s ON r.reviewer = '${LINK}' || s.id AND s.workspace = r.workspace AND s.project = r.project) AS given`,
    {
      ...REVIEW,
      by: optional(text('link_by')),
      maker: optional(text('link_maker')),
      makerEmail: optional(text('link_email')),
      expiresMs: optional(number('link_expires')),
      revokedMs: optional(number('link_revoked')),
    },
    table,
  )
}

/** Saves the reviewers that the latest import asks for, inside a transaction. They are not part of the content. */
export async function saveReviewers(
  queries: Queries,
  ref: ProjectRef,
  reviewers: Reviewers | undefined,
): Promise<void> {
  const value = reviewers === undefined ? null : JSON.stringify(reviewers)
  if (await setColumn(queries, ref, 'draft_reviewers', value)) await recordChange(queries, ref.workspace, ref.project)
}

/** Keeps who had to review a draft that is published, and marks the end of its authors, inside a transaction. */
export async function serveReviewers(queries: Queries, record: ProjectRecord): Promise<void> {
  const changes = { publishedReviewers: record.reviewers, authors: [...record.authors, PUBLISHED] }
  await PROJECTS.set(queries, changes, OF_PROJECT, record.workspace, record.project)
}

/** Adds people who change a draft to its authors, inside a transaction. Those of a published draft no longer count. */
export async function addAuthors(
  queries: Queries,
  { workspace, project }: ProjectRef,
  authors: readonly string[],
): Promise<void> {
  const record = await findProject(queries, workspace, project)
  if (!record) return
  const { authors: earlierAuthors } = record
  // After a rollback, the draft waits again with its earlier changes, and so all of its earlier authors count.
  const keptAuthors = isWaiting(record)
    ? earlierAuthors
    : earlierAuthors.slice(earlierAuthors.lastIndexOf(PUBLISHED) + 1)
  await PROJECTS.set(queries, { authors: [...new Set([...keptAuthors, ...authors])] }, OF_PROJECT, workspace, project)
}

/** The mark between the authors of the draft that was published last, and those of later changes. */
const PUBLISHED = ''

/** The addresses of the people who have changed a draft since the published revision. */
export function authorsOf({ authors }: ProjectRecord): string[] {
  return authors.filter(address => address !== PUBLISHED)
}

const OF_PROJECT = 'WHERE workspace = ? AND id = ?'

/** Dismisses a request for changes, inside a transaction: it stays, but counts no more. */
export async function dismissReview(
  queries: Queries,
  { workspace, project, reviewer }: Pick<ReviewRecord, 'workspace' | 'project' | 'reviewer'>,
  by: string | undefined,
  now: Date,
): Promise<void> {
  const where = 'WHERE workspace = ? AND project = ? AND reviewer = ?'
  await REVIEWS.set(queries, { dismissedAt: now, dismissedBy: by }, where, workspace, project, reviewer)
}
