import { randomBytes } from 'node:crypto'
import { ok } from '../base/result.ts'
import type { ProjectRef } from '../brand/ids.ts'
import type { ProjectRecord } from '../store/catalogue/catalogue.ts'
import { latestChange, recordChange } from '../store/catalogue/changes.ts'
import { addDeliveries, messageOf } from '../store/catalogue/deliveries.ts'
import { type Answer, listReviews, type ReviewRecord, saveReview } from '../store/catalogue/reviews.ts'
import type { Queries } from '../store/database/database.ts'
import type { Store } from '../store/store.ts'
import { type CommandResult, changedDraft, knownProject } from './project-ref.ts'

/** An answer about a draft as `status --json` prints it; `old` if the draft has changed since. */
export type Review = { answer: Answer; who: string; comment: string | null; old: boolean; at: string }

/** Whether a draft is approved and no one asks for changes to it, and all answers, newest first. */
export type Reviews = { approved: boolean; reviews: Review[] }

/**
 * The people whose approval counts: everyone, or for automatic publications only those who were signed in and answered
 * since the last change to the project, so that these undo no rollback. A request for changes by anyone prevents both.
 */
export type Approvers = 'everyone' | 'signed-in'

/** A reviewer, and the answer to the draft that they have seen. */
export type NewReview = Pick<ReviewRecord, 'reviewer' | 'who' | 'isSignedIn' | 'answer' | 'comment' | 'snapshot'>

/** Records an answer instead of the earlier one of the reviewer, and tells webhooks. Fails if the draft is another. */
export function review(store: Store, ref: ProjectRef, answer: NewReview, now: Date): Promise<CommandResult<undefined>> {
  const { workspace, project } = ref
  return store.database.transaction(async queries => {
    const record = await knownProject(queries, ref)
    if (!record.ok) return record
    const { snapshot } = record.value.draft
    if (snapshot !== answer.snapshot) return changedDraft(ref)
    await saveReview(queries, { ...answer, workspace, project, answeredAt: now })
    // Every process notices the change, and one of them sends the messages.
    await recordChange(queries, workspace, project)
    const event = { number: await latestChange(queries), id: randomBytes(12).toString('hex'), createdAt: now }
    const data = { workspace, project, snapshot, answer: answer.answer }
    await addDeliveries(queries, messageOf({ ...event, workspace, project, type: 'draft.reviewed' }, data))
    return ok(undefined)
  })
}

/** The answers about the draft of a project. */
export async function reviewsOf(queries: Queries, record: ProjectRecord): Promise<Reviews> {
  return reviewsIn(await listReviews(queries, record), record)
}

/** The answers about the draft of a project among those about all projects. */
export function reviewsIn(all: readonly ReviewRecord[], record: ProjectRecord): Reviews {
  const reviews = all.filter(isAbout(record)).map(({ answer, who, comment = null, snapshot, answeredAt }) => {
    return { answer, who, comment, old: snapshot !== record.draft.snapshot, at: answeredAt.toISOString() }
  })
  return { approved: isApproved(all, record, 'everyone'), reviews }
}

/** The projects whose drafts these reviewers have not approved, or for which anyone asks for changes. */
export async function unapproved(
  queries: Queries,
  records: readonly ProjectRecord[],
  approvers: Approvers,
): Promise<ProjectRecord[]> {
  const all = await listReviews(queries)
  return records.filter(record => !isApproved(all, record, approvers))
}

function isApproved(all: readonly ReviewRecord[], record: ProjectRecord, approvers: Approvers): boolean {
  const current = all.filter(isAbout(record)).filter(({ snapshot }) => snapshot === record.draft.snapshot)
  const counts = ({ answer, isSignedIn, answeredAt }: ReviewRecord) =>
    answer === 'approve' && (approvers === 'everyone' || (isSignedIn && answeredAt >= record.updatedAt))
  return current.some(counts) && current.every(({ answer }) => answer === 'approve')
}

function isAbout({ workspace, project }: ProjectRef) {
  return (review: ProjectRef) => review.workspace === workspace && review.project === project
}
