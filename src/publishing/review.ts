import { createHash, randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { ok } from '../base/result.ts'
import type { Reviewers } from '../brand/draft.ts'
import { type Hash, isHash, type ProjectRef } from '../brand/ids.ts'
import { addMail } from '../store/access/mail.ts'
import { findLiveSession } from '../store/access/sessions.ts'
import { isServed, type ProjectRecord } from '../store/catalogue/catalogue.ts'
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
import {
  type CommandResult,
  changedDraft,
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

/**
 * Whether a draft is approved and no one asks for changes to it, and the latest answer of each reviewer, newest first. A
 * damaged answer may ask for changes, so its project is not approved.
 */
export type Reviews = {
  approved: boolean
  /** The approvals that `project.yaml` asks for and the draft lacks: their number, or the addresses of the people. */
  missing?: Reviewers
  reviews: Review[]
  /** The answers that later ones of the same reviewers have replaced, newest first. */
  answers: Review[]
}

/** The latest answers about projects, and the earlier ones. */
export type GivenReviews = { latest: Readable<GivenReview>; earlier: Readable<GivenReview> }

export async function listGiven(queries: Queries, ref?: ProjectRef): Promise<GivenReviews> {
  return { latest: await listReviews(queries, ref), earlier: await listReviews(queries, ref, 'earlier') }
}

/**
 * The people whose approval counts: everyone; for automatic publications only those who were signed in and answered
 * since the last change to the project, so that these undo no rollback; or only those whom `project.yaml` asks for. A
 * request for changes by anyone prevents the first two.
 */
export type Approvers = 'everyone' | 'signed-in' | 'named'

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
    const fields = await findWorkspaceFields(queries, workspace)
    const { snapshot, settings, isPlain } = draftState(record.value, fields)
    const hasEnded = session !== undefined && !(await findLiveSession(queries, session, now))
    const isPublished = answer.answer === 'approve' && isUnchanged(record.value, fields)
    const isStale = isPublished || !hasSeen(answer, { snapshot, settings, isPlain })
    if (hasEnded || isStale) return changedDraft(ref)
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

/** Whether publishing a draft would change nothing, so that there is nothing to approve. */
export function isUnchanged({ draft, published }: ProjectRecord, fields: WorkspaceFields): boolean {
  return published !== undefined && isServed(draft, published) && workspaceChanges(fields).length === 0
}

/** A request for changes that counts. */
type Request = Review & { id: string }

/** The reviews of a draft, the names of those who approve it, and the requests for changes that count. */
export type DraftReviews = Reviews & {
  approvers: string[]
  requests: Request[]
  damaged: readonly DamagedContent[]
}

export async function reviewsOf(queries: Queries, record: ProjectRecord, now: Date): Promise<DraftReviews> {
  const all = await listGiven(queries, record)
  const context = { fields: await findWorkspaceFields(queries, record.workspace), now }
  const state = draftState(record, context.fields)
  const counting = Map.groupBy(current(all.latest.records, record, context), ({ answer }) => answer)
  const requests = (counting.get('ask') ?? []).map(each => ({
    ...reviewOf(each, record, { state, now }),
    id: requestId(each),
  }))
  const approvers = (counting.get('approve') ?? []).map(({ who }) => who)
  const damaged = [...all.latest.damaged, ...all.earlier.damaged]
  return { ...reviewsIn(all, record, context), approvers, requests, damaged }
}

/** The requests for changes over which a draft may be published, after a look at its reviews; absent: without a look. */
export type Settled = { over?: 'all' | readonly string[] | undefined }

/** Fails if reviewers whom `project.yaml` asks for have not approved a draft, or if somebody asks for changes to it. */
export function checkReviews(
  ref: ProjectRef,
  { missing, requests }: DraftReviews,
  over: 'all' | readonly string[],
): CommandResult<undefined> {
  if (missing !== undefined) return unapprovedDraft(ref, missingText(missing))
  const open = requests.filter(({ id }) => over !== 'all' && !over.includes(id))
  return open.length === 0 ? ok(undefined) : requestedChanges(ref, open)
}

/** `2 more people`, or addresses. */
function missingText(missing: Reviewers): string {
  if (typeof missing === 'number') return missing === 1 ? '1 more person' : `${missing} more people`
  return missing.join(', ')
}

/** The fields of the workspace of a project, and the time at which its answers are judged. */
type ReviewBasis = { fields: WorkspaceFields; now: Date }

export function reviewsIn({ latest, earlier }: GivenReviews, record: ProjectRecord, context: ReviewBasis): Reviews {
  const state = draftState(record, context.fields)
  const reviewsAmong = ({ records }: Readable<GivenReview>) =>
    records.filter(isAbout(record)).map(each => reviewOf(each, record, { state, now: context.now }))
  const missing = isUnchanged(record, context.fields) ? undefined : missingIn(latest, record, context, 'everyone')
  return {
    approved: isApproved(latest, record, context, 'everyone'),
    ...(missing !== undefined && { missing }),
    reviews: reviewsAmong(latest),
    answers: reviewsAmong(earlier),
  }
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
  if (missingIn({ records }, record, context, approvers) !== undefined) return false
  if (approvers === 'named') return true
  if (damaged.some(({ place }) => place.kind === 'row' && isAbout(record)(place.key))) return false
  const counting = current(records, record, context)
  return counting.some(approves(record, approvers)) && counting.every(({ answer }) => answer === 'approve')
}

function approves({ updatedAt }: ProjectRecord, approvers: Approvers) {
  return ({ answer, isSignedIn, answeredAt }: ReviewRecord) =>
    answer === 'approve' && (approvers !== 'signed-in' || (isSignedIn && answeredAt >= updatedAt))
}

/** The approvals that a draft lacks; undefined if it has all that `project.yaml` asks for. */
function missingIn(
  { records }: Pick<Readable<GivenReview>, 'records'>,
  record: ProjectRecord,
  context: ReviewBasis,
  approvers: Approvers,
): Reviewers | undefined {
  const { reviewers = 0 } = record
  const given = current(records, record, context).filter(approves(record, approvers))
  if (typeof reviewers === 'number') return given.length < reviewers ? reviewers - given.length : undefined
  const addresses = new Set(given.map(({ isSignedIn, email }) => (isSignedIn ? email?.toLowerCase() : undefined)))
  const missing = reviewers.filter(address => !addresses.has(address.toLowerCase()))
  return missing.length === 0 ? undefined : missing
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
