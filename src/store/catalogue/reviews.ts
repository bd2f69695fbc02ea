import type { ProjectRef } from '../../brand/ids.ts'
import { type Queries, textOf } from '../database/database.ts'
import { date, defineTable, flag, optional, type Property, type RecordOf, text } from '../database/table.ts'
import { SNAPSHOT } from './history.ts'

/** The answer of a reviewer: the draft may be published, or it needs changes. */
export type Answer = 'approve' | 'ask'

const ANSWER: Property<Answer> = {
  columns: ['answer'],
  read: row => (textOf(row, 'answer') === 'approve' ? 'approve' : 'ask'),
  values: answer => [answer],
}

/** The latest answer of each person and each share link about the draft of a project. */
const REVIEWS = defineTable('review', {
  workspace: text('workspace'),
  project: text('project'),
  /** The subject of a person, or the id of a share link after `share:`. */
  reviewer: text('reviewer'),
  who: text('who'),
  isSignedIn: flag('signed_in'),
  answer: ANSWER,
  comment: optional(text('comment')),
  /** The draft that the answer is about. */
  snapshot: SNAPSHOT,
  answeredAt: date('answered_at'),
})

export type ReviewRecord = RecordOf<typeof REVIEWS>

/** Saves an answer instead of the earlier one of the same reviewer, inside a transaction. */
export async function saveReview(queries: Queries, review: ReviewRecord): Promise<void> {
  const { workspace, project, reviewer } = review
  const sql = 'DELETE FROM review WHERE workspace = ? AND project = ? AND reviewer = ?'
  await queries.run(sql, workspace, project, reviewer)
  await REVIEWS.add(queries, review)
}

/** The answers about a project, or about all projects, newest first. */
export function listReviews(queries: Queries, ref?: ProjectRef): Promise<ReviewRecord[]> {
  const order = 'ORDER BY answered_at DESC, reviewer'
  if (!ref) return REVIEWS.all(queries, order)
  return REVIEWS.all(queries, `WHERE workspace = ? AND project = ? ${order}`, ref.workspace, ref.project)
}
