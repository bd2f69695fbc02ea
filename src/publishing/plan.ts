import { type ProjectRef, placeText } from '#brand/ids.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { ok } from '#platform/base/result.ts'
import { groupsOf } from '#platform/base/text.ts'
import type { Audit } from '#platform/telemetry/access-event.ts'
import { addMail } from '#store/access/mail.ts'
import { findProject, type ProjectRecord } from '#store/catalogue/catalogue.ts'
import { recordChange } from '#store/catalogue/changes.ts'
import { noteEndedPlan, type PlanState } from '#store/catalogue/history.ts'
import { endPlan, findPlan, listWaitingPlans, type PlanRecord, removePlan, savePlan } from '#store/catalogue/plans.ts'
import { tellWebhooks } from '#store/catalogue/webhooks.ts'
import { findWorkspaceFields } from '#store/catalogue/workspace-fields.ts'
import { unlessDamaged } from '#store/database/damaged-row.ts'
import type { Queries } from '#store/database/database.ts'
import type { Store } from '#store/store.ts'
import { attemptEach } from './attempt-each.ts'
import { auditPublications } from './audit.ts'
import { draftState, isUnchanged } from './draft-state.ts'
import { changeProject, failedWith, type Outcome, unapprovedDraft } from './project-ref.ts'
import { checkDraft, type PublishOptions, type PublishResult, publishDraft } from './publish.ts'
import { type Approvers, type Over, reviewsOf, unapproved } from './review.ts'

export type PlanOptions = PublishOptions &
  Partial<Pick<PlanRecord, 'subject' | 'signin' | 'email'>> & {
    at: Date
    over: Over
    approvers?: Approvers | undefined
  }

/** The plans that a change has ended without a publication; absent if there are none. */
export type EndedPlans = { endedPlans?: Ended[] }
type Ended = ProjectRef & PlanState
/** The outcome of a change that ends plans. */
export type Withdrawn<Value> = Outcome<Value & EndedPlans>

/** A time with its zone, as in `2026-12-01T09:00Z`; undefined for any other text and for a day that does not exist. */
export function parseTime(text: string): Date | undefined {
  const [, day] = groupsOf(/^(\d{4}-\d\d-\d\d)T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/, text)
  if (day === undefined) return undefined
  const time = new Date(text)
  // 31 November would be 1 December.
  const isDay = new Date(`${day}T00:00Z`).toJSON()?.slice(0, 10) === day
  return isDay && !Number.isNaN(time.getTime()) ? time : undefined
}

/**
 * Plans the publication of a draft for a time, instead of an earlier plan. The draft must pass what *Publish* checks, both
 * now and at that time. If `approvers` is set, it must be approved then too.
 */
export function planPublication(store: Store, ref: ProjectRef, options: PlanOptions, now: Date): Outcome<PlanRecord> {
  const { at, seen, over, approvers, note, who, subject, signin, email, keepsWorkspace = false } = options
  return changeProject(store, ref, async (queries, record) => {
    if (at <= now) return failedWith('time_past', `${at.toISOString()} has passed: name a later time`)
    const checked = await checkDraft(queries, record, { seen, over }, now)
    if (!checked.ok) return checked
    const { workspace, project } = record
    const { snapshot, settings } = draftState(record, await findWorkspaceFields(queries, workspace))
    const { reviews } = await reviewsOf(queries, record, now)
    // The requests for changes that are open now have been confirmed. A later one ends the plan.
    const overRequests = reviews.flatMap(({ request }) => request ?? [])
    const needs = { approval: approvers !== undefined, reviewers: record.reviewers }
    const by = { note, who, subject, signin, email, keepsWorkspace, needs }
    const plan = { workspace, project, snapshot, settings, dueAt: at, ...by, overRequests, plannedAt: now }
    const planCheck = await checkPlan(queries, plan, now)
    if (!planCheck.ok) return planCheck
    await savePlan(queries, plan)
    await recordChange(queries, workspace, project)
    return ok(plan)
  })
}

/**
 * Fails if a draft cannot be published as planned: it has changed or has nothing new, somebody has asked for changes since
 * the plan, or the answers that it needs are missing or no longer count.
 */
async function checkPlan(queries: Queries, plan: PlanRecord, now: Date): Outcome<undefined> {
  const { needs, overRequests, keepsWorkspace } = plan
  const record = await findProject(queries, plan.workspace, plan.project)
  if (!record) return ok(undefined)
  // The draft may ask for other reviewers than when it was planned; both must have answered.
  const asPlanned = { ...record, ...withoutUndefined({ reviewers: needs.reviewers }) }
  for (const state of [record, asPlanned]) {
    const checked = await checkDraft(queries, state, { seen: plan, over: overRequests }, now)
    if (!checked.ok) return checked
  }
  if (isUnchanged(record, await findWorkspaceFields(queries, record.workspace), keepsWorkspace))
    return failedWith('draft_unchanged', `the draft of ${placeText(record)} is already published: import a change`)
  const lacksApproval = needs.approval && (await unapproved(queries, [record], 'everyone', now)).length > 0
  return lacksApproval ? unapprovedDraft(record) : ok(undefined)
}

/** Cancels the plan of a project, which the history keeps with its note, or forgets an ended one. */
export function cancelPlan(store: Store, ref: ProjectRef, audit?: Audit): Outcome<{ changed: boolean }> {
  return changeProject(store, ref, async (queries, { workspace, project }) => {
    const plan = await findPlan(queries, ref)
    const changed = await removePlan(queries, ref)
    if (changed) await recordChange(queries, workspace, project)
    if (plan && !plan.endedAt) {
      const end = { endedAt: store.clock.date(), reason: 'cancelled' }
      await noteEndedPlan(queries, ref, { ...planState({ ...plan, ...end }), ...withoutUndefined({ note: plan.note }) })
      audit?.({ event: 'publication-cancelled', workspace, project })
    }
    return ok({ changed })
  })
}

/** A plan as `status --json` and the history show it. */
export function planState({ dueAt, who, plannedAt, endedAt, reason }: PlanRecord): PlanState {
  const state = { at: dueAt.toISOString(), who: who ?? null, plannedAt: plannedAt.toISOString() }
  return { ...state, ...withoutUndefined({ endedAt: endedAt?.toISOString(), reason }) }
}

/**
 * Publishes the drafts whose time has come, and ends the plans of changed drafts, with new requests for changes, without
 * answers that they need, or of people without the right. Each is settled in one transaction, so that several processes
 * publish it once. Throws after the others if one fails.
 */
export async function publishPlanned(store: Store, audit: Audit): Promise<void> {
  const now = store.clock.date()
  const plans = await listWaitingPlans(store.database)
  await attemptEach(store.database, plans, 'a planned publication failed', async plan => {
    // Most plans only wait: a transaction for each would hold up those who write.
    const mustSettle = plan.dueAt <= now || (await obstacle(store.database, plan, now)) !== undefined
    const published = mustSettle ? await store.database.transaction(queries => settle(queries, plan, now)) : []
    auditPublications(audit, published, { via: 'plan', subject: plan.subject })
  })
}

/** Publishes a plan whose time has come, or ends it. Does nothing if another process was first. */
async function settle(queries: Queries, ref: ProjectRef, now: Date): Promise<PublishResult[]> {
  const plan = await findPlan(queries, ref)
  const record = await findProject(queries, ref.workspace, ref.project)
  if (!plan || plan.endedAt || !record || record.status === 'Processing') return []
  const problem = await obstacle(queries, plan, now)
  if (problem) await endUnpublished(queries, plan, problem, now)
  if (problem || plan.dueAt > now) return []
  const { note, who, keepsWorkspace, plannedAt } = plan
  const by = { note, who, keepsWorkspace, reviewed: { plannedAt: plannedAt.toISOString() } }
  const published = await publishDraft(queries, record, by, now)
  await removePlan(queries, plan)
  return [published]
}

type Problem = { code: string; message: string }

/** The reason for which a draft cannot be published as planned. */
async function obstacle(queries: Queries, plan: PlanRecord, now: Date): Promise<Problem | undefined> {
  // A plan that waits has a reason only if its person has lost the right (`endLost` in exercised-rights.ts).
  const message = 'the person who planned its publication has lost the right to publish it'
  if (plan.reason !== undefined) return { code: plan.reason, message }
  const checked = await checkPlan(queries, plan, now)
  return checked.ok ? undefined : checked.problem
}

/** Ends a plan without a publication, and tells the history, webhooks and people with mail. */
async function endUnpublished(
  queries: Queries,
  plan: PlanRecord,
  { code: reason, message }: Problem,
  now: Date,
): Promise<Ended> {
  const { workspace, project } = plan
  const state = planState({ ...plan, reason, endedAt: now })
  await endPlan(queries, plan, { endedAt: now, reason })
  await noteEndedPlan(queries, plan, state)
  await tellWebhooks(queries, 'plan.ended', { workspace, project, at: state.at, reason }, now)
  await addMail(queries, 'failed', plan, { now, reason: `planned for ${state.at}: ${message}` })
  return { workspace, project, ...state }
}

/**
 * Ends the plans of a workspace whose drafts cannot be published as planned, in the transaction that has changed it.
 * Returns them after the plans that this transaction has ended before.
 */
export async function endPlans(
  queries: Queries,
  workspace: string,
  now: Date,
  endedBefore: readonly Ended[] = [],
): Promise<EndedPlans> {
  const endedPlans = [...endedBefore]
  for (const plan of await listWaitingPlans(queries)) {
    if (plan.workspace !== workspace) continue
    const problem = await unlessDamaged(queries, () => obstacle(queries, plan, now))
    if (problem) endedPlans.push(await endUnpublished(queries, plan, problem, now))
  }
  return endedPlans.length > 0 ? { endedPlans } : {}
}

/** What withdraws a project or a revision of it. */
export const WITHDRAWALS = ['unpublished', 'rolled_back', 'retracted', 'deleted'] as const

/** Makes a change that withdraws something, and so ends the plan of the project: another publication would undo it. */
export function withdraw<Value extends object>(
  store: Store,
  ref: ProjectRef,
  { code, now }: { code: (typeof WITHDRAWALS)[number]; now: Date },
  change: (queries: Queries, record: ProjectRecord) => Outcome<Value>,
): Withdrawn<Value> {
  return changeProject(store, ref, async (queries, record) => {
    const plan = await findPlan(queries, ref)
    const changed = await change(queries, record)
    if (!changed.ok) return changed
    const message = `${placeText(ref)} was ${code.replaceAll('_', ' ')} before its planned publication`
    const ownPlan = plan && !plan.endedAt ? [await endUnpublished(queries, plan, { code, message }, now)] : []
    return ok({ ...changed.value, ...(await endPlans(queries, record.workspace, now, ownPlan)) })
  })
}
