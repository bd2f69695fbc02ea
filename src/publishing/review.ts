import type { Reviewers } from '#brand/draft.ts'
import type { ProjectRef } from '#brand/ids.ts'
import { ok } from '#platform/base/result.ts'
import { comparableAddress } from '#platform/base/text.ts'
import { addMail } from '#store/access/mail.ts'
import type { ProjectRecord } from '#store/catalogue/catalogue.ts'
import { recordChange } from '#store/catalogue/changes.ts'
import {
  type Answer,
  authorsOf,
  dismissReview,
  type GivenReview,
  listReviews,
  type ReviewRecord,
  saveReview,
} from '#store/catalogue/reviews.ts'
import { tellWebhooks } from '#store/catalogue/webhooks.ts'
import { findWorkspaceFields, type WorkspaceFields } from '#store/catalogue/workspace-fields.ts'
import type { Queries } from '#store/database/database.ts'
import type { Store } from '#store/store.ts'
import { hasAddress, isAuthor } from './authors.ts'
import { draftState, hasSeen, isUnchanged } from './draft-state.ts'
import {
  type CommandResult,
  changedDraft,
  isOf,
  knownProject,
  type Outcome,
  requestedChanges,
  unapprovedDraft,
} from './project-ref.ts'

/** An answer about a draft as `status --json` prints it. Old, ended and dismissed ones do not count. */
export type Review = {
  answer: Answer
  who: string
  comment: string | null
  /** Whether publishing would now change something else. */
  old: boolean
  at: string
  /** Only for an answer through a share link, which anyone who has it can give; and who made the link. */
  link?: true
  by?: string | null
  /** Only if the link or the person's right to answer has ended. */
  ended?: true
  /** Only if a manager has dismissed the request. */
  dismissed?: true
}

/** Whether a draft is approved and no one asks for changes to it, and the latest answer of each reviewer, newest first. */
export type Reviews<Latest = Review> = {
  approved: boolean
  /**
   * The reviewers whom `project.yaml` asks for, now or when it was published, and whose answers the draft lacks: their
   * number, or once that is reached, the addresses of some.
   */
  missing?: Reviewers
  /** The names or addresses of reviewers who have changed the draft, so that their own approval does not count. */
  authors?: readonly string[]
  /** Whether all missing reviewers have changed the draft. People may then publish it without them. */
  lacksOnlyAuthors?: boolean
  reviews: Latest[]
  /** The answers that later ones of the same reviewers have replaced, newest first. */
  answers: Review[]
}

/** `request` is the id of a request for changes that counts. */
export type DraftReviews = Reviews<Review & { request?: string }>

/** The latest answers about projects, and the earlier ones. */
export type GivenReviews = { latest: GivenReview[]; earlier: GivenReview[] }

/** Reads the answers about one project, or about all. */
export async function listGiven(queries: Queries, ref?: ProjectRef): Promise<GivenReviews> {
  return { latest: await listReviews(queries, ref), earlier: await listReviews(queries, ref, 'earlier') }
}

/**
 * Whose approval a draft needs: anyone's; for automatic publications that of people who were signed in and answered since
 * the last change to the project, so that these undo no rollback. A request for changes by anyone prevents both. With
 * `named`, it only needs the answers that `project.yaml` asks for, as do the other two.
 */
export type Approvers = 'everyone' | 'signed-in' | 'named'

export type NewReview = Pick<
  ReviewRecord,
  'reviewer' | 'who' | 'isSignedIn' | 'answer' | 'comment' | 'snapshot' | 'settings' | 'signin' | 'email'
>

/** Records an answer instead of the earlier one of the reviewer, and tells webhooks and managers. Fails if the draft is another. */
export function review(store: Store, ref: ProjectRef, answer: NewReview, now: Date): Outcome<undefined> {
  const { workspace, project } = ref
  return store.database.transaction(async queries => {
    const record = await knownProject(queries, ref)
    if (!record.ok) return record
    const fields = await findWorkspaceFields(queries, workspace)
    const state = draftState(record.value, fields)
    const isPublished = answer.answer === 'approve' && isUnchanged(record.value, fields)
    const isStale = isPublished || !hasSeen(answer, state)
    if (isStale) return changedDraft(ref)
    await saveReview(queries, { ...answer, workspace, project, answeredAt: now })
    const reviewed = { workspace, project, snapshot: state.snapshot, answer: answer.answer }
    await tellWebhooks(queries, 'draft.reviewed', reviewed, now)
    await addMail(queries, 'answer', ref, { now, except: answer.reviewer })
    return ok(undefined)
  })
}

/** Dismisses a request for changes. Returns it; undefined if there is none, or if the reviewer has answered again. */
export function dismiss(
  { database }: Store,
  ref: ProjectRef,
  { id, who }: { id: string; who: string | undefined },
  now: Date,
): Promise<GivenReview | undefined> {
  return database.transaction(async queries => {
    const records = await listReviews(queries, ref)
    const request = records.find(each => requestId(each) === id && each.answer === 'ask' && !each.dismissedAt)
    if (!request) return undefined
    await dismissReview(queries, request, who, now)
    await recordChange(queries, ref.workspace, ref.project)
    return request
  })
}

function requestId({ reviewer, answeredAt }: Pick<ReviewRecord, 'reviewer' | 'answeredAt'>): string {
  return `${answeredAt.getTime()}-${reviewer}`
}

/** The ids of requests for changes over which a draft may be published. Without this, its reviews do not matter. */
export type Over = 'all' | readonly string[]

/** Fails if reviewers whom `project.yaml` asks for have not answered about a draft, or if somebody asks for changes to it. */
export function checkReviews(
  ref: ProjectRef,
  { missing, lacksOnlyAuthors = false, reviews }: DraftReviews,
  over: Over,
): CommandResult<undefined> {
  if (missing !== undefined && !lacksOnlyAuthors) return unapprovedDraft(ref, missingText(missing))
  const openRequests = reviews.filter(
    ({ request }) => request !== undefined && over !== 'all' && !over.includes(request),
  )
  return openRequests.length === 0 ? ok(undefined) : requestedChanges(ref, openRequests)
}

/** `2 more people`, or addresses. */
function missingText(missing: Reviewers): string {
  if (typeof missing === 'number') return missing === 1 ? '1 more person' : `${missing} more people`
  return missing.join(', ')
}

/** The answers about a draft at this time, and whether it is approved. */
export async function reviewsOf(queries: Queries, record: ProjectRecord, now: Date): Promise<DraftReviews> {
  const all = await listGiven(queries, record)
  const fields = await findWorkspaceFields(queries, record.workspace)
  return reviewsIn(all, record, { fields, now })
}

/** The fields of the workspace of a project, and the time at which its answers are judged. */
type ReviewBasis = { fields: WorkspaceFields; now: Date }

/** The same from answers that were read for several projects. */
export function reviewsIn({ latest, earlier }: GivenReviews, record: ProjectRecord, basis: ReviewBasis): DraftReviews {
  const state = draftState(record, basis.fields)
  const { counting, missing, isApproved, authors } = judge(latest, record, basis)
  const reviewsAmong = (all: readonly GivenReview[]) =>
    all.filter(isOf(record)).map(given => ({
      ...reviewOf(given, !hasSeen(given, state), basis.now),
      ...(given.answer === 'ask' && counting.includes(given) && { request: requestId(given) }),
    }))
  return {
    approved: isApproved,
    ...(missing !== undefined && { missing }),
    ...authors,
    reviews: reviewsAmong(latest),
    answers: reviewsAmong(earlier),
  }
}

function reviewOf(given: GivenReview, old: boolean, now: Date): Review {
  const { answer, who, comment = null, answeredAt, link, dismissedAt } = given
  return {
    answer,
    who,
    comment,
    old,
    at: answeredAt.toISOString(),
    ...(link && { link: true, by: link.by ?? null }),
    ...(hasEnded(given, now) && { ended: true }),
    ...(dismissedAt && { dismissed: true }),
  }
}

/** The projects whose drafts lack the approval of these people, in the given order. */
export async function unapproved(
  queries: Queries,
  records: readonly ProjectRecord[],
  approvers: Approvers,
  now: Date,
): Promise<ProjectRecord[]> {
  const waiting: ProjectRecord[] = []
  for (const record of records) {
    const fields = await findWorkspaceFields(queries, record.workspace)
    const { missing, isApproved } = judge(await listReviews(queries, record), record, { fields, now }, approvers)
    if (approvers === 'named' ? missing !== undefined : !isApproved) waiting.push(record)
  }
  return waiting
}

type Judgement = {
  /** The latest answers that count. */
  counting: GivenReview[]
  /** The reviewers whose answers the draft lacks. */
  missing: Reviewers | undefined
  authors: Pick<Reviews, 'authors' | 'lacksOnlyAuthors'>
  isApproved: boolean
}

/**
 * Finds which of the latest answers about a draft count, which reviewers it lacks, and whether it is approved. The
 * reviewers of the published revision must answer, too, so that a draft cannot choose who lets it pass. Nobody approves
 * their own change, and no answer through a share link that an author made is one that `project.yaml` asks for.
 */
function judge(
  reviews: readonly GivenReview[],
  record: ProjectRecord,
  { fields, now }: ReviewBasis,
  approvers: Approvers = 'everyone',
): Judgement {
  const state = draftState(record, fields)
  const isOfProject = isOf(record)
  const counts = (review: GivenReview) => !hasEnded(review, now) && !review.dismissedAt && hasSeen(review, state)
  const counting = reviews.filter(review => isOfProject(review) && counts(review))
  // A request for changes by an author counts, but no approval.
  const authors = authorsOf(record)
  const ofAuthors = counting.filter(review => isAuthor(authors, review))
  const ofOthers = counting.filter(review => !ofAuthors.includes(review))
  const isSure = ({ isSignedIn, answeredAt }: GivenReview) => isSignedIn && answeredAt >= record.updatedAt
  const answers = approvers === 'signed-in' ? ofOthers.filter(isSure) : ofOthers
  const isThroughOwnLink = ({ link }: GivenReview) => link !== undefined && isAuthor(authors, link.maker)
  const reviewing = answers.filter(review => !isThroughOwnLink(review))
  const asked = [record.reviewers, record.publishedReviewers].map(reviewers => reviewers ?? 0)
  const missing = isUnchanged(record, fields) ? undefined : missingAmong(reviewing, asked)
  const isApproval = ({ answer }: GivenReview) => answer === 'approve'
  const isApproved = answers.some(isApproval) && counting.every(isApproval) && missing === undefined
  // An author who has answered may be known by another address than in the commits.
  const addresses = [...authors, ...ofAuthors.flatMap(({ email }) => email ?? [])]
  return { counting, missing, authors: authorsAmong(missing, ofAuthors, addresses), isApproved }
}

/**
 * The reviewers who have not answered; undefined if none is missing. All named ones must have answered, and as many people
 * as the larger number. The result has the missing names only once the number is reached.
 *
 * @param asked the reviewers of the draft and of the published revision: a number or addresses; 0 for none
 */
function missingAmong(answers: readonly GivenReview[], asked: readonly Reviewers[]): Reviewers | undefined {
  const addresses = new Set(answers.map(({ isSignedIn, email = '' }) => isSignedIn && comparableAddress(email)))
  const named = new Set(asked.flatMap(reviewers => (typeof reviewers === 'number' ? [] : reviewers)))
  const missingNames = [...named].filter(address => !addresses.has(comparableAddress(address)))
  const askedNumbers = asked.map(reviewers => (typeof reviewers === 'number' ? reviewers : 0))
  const missingNumber = Math.max(...askedNumbers) - answers.length
  if (missingNumber > 0) return missingNumber
  return missingNames.length > 0 ? missingNames : undefined
}

/**
 * The authors of a draft among its missing reviewers, and those who have approved it, which does not count.
 *
 * @param addresses the addresses of the authors
 */
function authorsAmong(missing: Reviewers = 0, ofAuthors: readonly GivenReview[], addresses: readonly string[]) {
  const missingNames = typeof missing === 'number' ? [] : missing
  const missingAuthors = missingNames.filter(address => hasAddress(addresses, address))
  const ownApprovals = ofAuthors.filter(({ answer, email = '' }) => {
    return answer === 'approve' && !hasAddress(missingAuthors, email)
  })
  const authors = [...missingAuthors, ...ownApprovals.map(({ who }) => who)]
  const lacksOnlyAuthors = missingAuthors.length > 0 && missingAuthors.length === missingNames.length
  return { ...(authors.length > 0 && { authors }), ...(lacksOnlyAuthors && { lacksOnlyAuthors }) }
}

/** Whether the link of an answer has ended, or the right of the person. */
function hasEnded({ link, endedAt }: GivenReview, now: Date): boolean {
  return link ? link.endsAt === undefined || link.endsAt <= now : endedAt !== undefined
}
