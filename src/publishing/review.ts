import { createHash, randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { ok } from '../base/result.ts'
import { type Hash, isHash, type ProjectRef } from '../brand/ids.ts'
import { addMail } from '../store/access/mail.ts'
import { findLiveSession } from '../store/access/sessions.ts'
import type { ProjectRecord } from '../store/catalogue/catalogue.ts'
import { latestChange, recordChange } from '../store/catalogue/changes.ts'
import {
  type Answer,
  dismissReview,
  type GivenReview,
  listReviews,
  type ReviewRecord,
  saveReview,
} from '../store/catalogue/reviews.ts'
import { addDeliveries, messageOf } from '../store/catalogue/webhooks.ts'
import {
  findWorkspaceFields,
  listWorkspaceFields,
  type WorkspaceFields,
  workspaceChanges,
} from '../store/catalogue/workspace-fields.ts'
import type { Readable } from '../store/database/damaged-row.ts'
import type { Queries } from '../store/database/database.ts'
import type { Store } from '../store/store.ts'
import type { DamagedContent } from '../store/store-error.ts'
import { changedDraft, knownProject, type Outcome } from './project-ref.ts'

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

/**
 * Whether a draft is approved and no one asks for changes to it, and all answers, newest first. A damaged answer may ask
 * for changes, so its project is not approved.
 */
export type Reviews = { approved: boolean; reviews: Review[] }

/**
 * The people whose approval counts: everyone, or for automatic publications only those who were signed in and answered
 * since the last change to the project, so that these undo no rollback. A request for changes by anyone prevents both.
 */
export type Approvers = 'everyone' | 'signed-in'

export type NewReview = Pick<
  ReviewRecord,
  'reviewer' | 'who' | 'isSignedIn' | 'answer' | 'comment' | 'snapshot' | 'settings' | 'signin' | 'email'
> & {
  /** The session of the person, which must still be live; absent without one. */
  session?: string | undefined
}

/** Records an answer instead of the earlier one of the reviewer, and tells webhooks and managers. Fails if the draft is another. */
export function review(
  store: Store,
  ref: ProjectRef,
  { session, ...answer }: NewReview,
  now: Date,
): Outcome<undefined> {
  const { workspace, project } = ref
  return store.database.transaction(async queries => {
    const record = await knownProject(queries, ref)
    if (!record.ok) return record
    const { snapshot, settings, isPlain } = draftState(record.value, await findWorkspaceFields(queries, workspace))
    const hasEnded = session !== undefined && !(await findLiveSession(queries, session, now))
    if (hasEnded || !hasSeen(answer, { snapshot, settings, isPlain })) return changedDraft(ref)
    await saveReview(queries, { ...answer, settings, workspace, project, answeredAt: now })
    // Every process notices the change, and one of them sends the messages.
    await recordChange(queries, workspace, project)
    const event = { number: await latestChange(queries), id: randomBytes(12).toString('hex'), createdAt: now }
    const data = { workspace, project, snapshot, answer: answer.answer }
    await addDeliveries(queries, messageOf({ ...event, workspace, project, type: 'draft.reviewed' }, data))
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
    const { records } = await listReviews(queries, ref)
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

export async function reviewsOf(
  queries: Queries,
  record: ProjectRecord,
  now: Date,
): Promise<Reviews & { requests: (Review & { id: string })[]; damaged: readonly DamagedContent[] }> {
  const all = await listReviews(queries, record)
  const context = { fields: await findWorkspaceFields(queries, record.workspace), now }
  const state = draftState(record, context.fields)
  const asked = current(all.records, record, context).filter(({ answer }) => answer === 'ask')
  const requests = asked.map(each => ({ ...reviewOf(each, record, { state, now }), id: requestId(each) }))
  return { ...reviewsIn(all, record, context), requests, damaged: all.damaged }
}

/** The fields of the workspace of a project, and the time at which its answers are judged. */
type ReviewBasis = { fields: WorkspaceFields; now: Date }

export function reviewsIn(all: Readable<GivenReview>, record: ProjectRecord, context: ReviewBasis): Reviews {
  const state = draftState(record, context.fields)
  const reviews = all.records.filter(isAbout(record)).map(each => reviewOf(each, record, { state, now: context.now }))
  return { approved: isApproved(all, record, context, 'everyone'), reviews }
}

function reviewOf(given: GivenReview, record: ProjectRecord, { state, now }: { state: DraftState; now: Date }): Review {
  const { answer, who, comment = null, answeredAt, link, dismissedAt } = given
  return {
    answer,
    who,
    comment,
    old: !isForState(given, record, state),
    at: answeredAt.toISOString(),
    ...(link && { link: true, by: link.by ?? null }),
    ...(hasEnded(given, now) && { ended: true }),
    ...(dismissedAt && { dismissed: true }),
  }
}

export async function unapproved(
  queries: Queries,
  records: readonly ProjectRecord[],
  approvers: Approvers,
  now: Date,
): Promise<ProjectRecord[]> {
  const all = await listReviews(queries)
  const fields = await listWorkspaceFields(queries)
  return records.filter(record => {
    const ofWorkspace = fields.get(record.workspace)
    return !ofWorkspace || !isApproved(all, record, { fields: ofWorkspace, now }, approvers)
  })
}

function isApproved(
  { records, damaged }: Readable<GivenReview>,
  record: ProjectRecord,
  context: ReviewBasis,
  approvers: Approvers,
): boolean {
  if (damaged.some(({ place }) => place.kind === 'row' && isAbout(record)(place.key))) return false
  const counting = current(records, record, context)
  const counts = ({ answer, isSignedIn, answeredAt }: ReviewRecord) =>
    answer === 'approve' && (approvers === 'everyone' || (isSignedIn && answeredAt >= record.updatedAt))
  return counting.some(counts) && counting.every(({ answer }) => answer === 'approve')
}

function current(all: readonly GivenReview[], record: ProjectRecord, { fields, now }: ReviewBasis): GivenReview[] {
  const state = draftState(record, fields)
  const counts = (each: GivenReview) => !hasEnded(each, now) && !each.dismissedAt && isForState(each, record, state)
  return all.filter(isAbout(record)).filter(counts)
}

/** Earlier versions kept no settings, which may have been others before a later change of the project. */
function isForState(given: GivenReview, { updatedAt }: ProjectRecord, state: DraftState): boolean {
  return hasSeen(given, state) && (given.settings !== undefined || given.answeredAt >= updatedAt)
}

/** Whether the link of an answer has ended, or the right of the person. */
function hasEnded({ link, endedAt }: GivenReview, now: Date): boolean {
  return link ? link.endsAt === undefined || link.endsAt <= now : endedAt !== undefined
}

function isAbout({ workspace, project }: ProjectRef) {
  return (review: { workspace?: unknown; project?: unknown }) =>
    review.workspace === workspace && review.project === project
}

/** Everything that publishing a draft changes for readers. An approval is for exactly one state. */
export type DraftState = {
  snapshot: Hash
  /** A digest of its settings outside the snapshot, and of the fields of its workspace. */
  settings: string
  /** Whether these have their defaults, so that only content changes. */
  isPlain: boolean
}

/** A draft that a person has seen. Without settings, as in answers of an earlier version, they had their defaults. */
export type SeenDraft = { snapshot: Hash; settings?: string | undefined }

/** Fields that drafts get later count without a change here. */
export function draftState({ draft }: Pick<ProjectRecord, 'draft'>, fields: WorkspaceFields): DraftState {
  // The snapshot has the name, too.
  const { snapshot, name: _name, ...settings } = draft
  const parts = [sortedEntries(settings), sortedEntries(fields.draft)]
  return {
    snapshot,
    settings: createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32),
    isPlain: isDeepStrictEqual(settings, DEFAULTS) && workspaceChanges(fields).length === 0,
  }
}

const DEFAULTS: Omit<ProjectRecord['draft'], 'snapshot' | 'name'> = { visibility: 'private', revisions: 'private' }

function sortedEntries(fields: object): unknown[] {
  return Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))
}

export function hasSeen({ snapshot, settings }: SeenDraft, state: DraftState): boolean {
  return snapshot === state.snapshot && (settings === undefined ? state.isPlain : settings === state.settings)
}

/** A state as forms carry it; only the snapshot if nothing else changes. */
export function stateText({ snapshot, settings, isPlain }: DraftState): string {
  return isPlain ? snapshot : `${snapshot}-${settings}`
}

/** The draft in a form; undefined if it has another format. */
export function parseState(text: string): SeenDraft | undefined {
  const [, snapshot = '', settings] = /^([0-9a-f]{64})(?:-([0-9a-f]{32}))?$/.exec(text) ?? []
  return isHash(snapshot) ? { snapshot, settings } : undefined
}
