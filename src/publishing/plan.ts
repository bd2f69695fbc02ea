import { ok } from '../base/result.ts'
import type { ProjectRef } from '../brand/ids.ts'
import { addMail } from '../store/access/mail.ts'
import { findProject } from '../store/catalogue/catalogue.ts'
import { recordChange } from '../store/catalogue/changes.ts'
import { endPlan, findPlan, listPlans, type PlanRecord, removePlan, savePlan } from '../store/catalogue/plans.ts'
import { findWorkspaceFields } from '../store/catalogue/workspace-fields.ts'
import type { Queries } from '../store/database/database.ts'
import type { Store } from '../store/store.ts'
import { attemptEach } from './attempt-each.ts'
import { draftState } from './draft-state.ts'
import { changeProject, failedWith, type Outcome, unapprovedDraft } from './project-ref.ts'
import { checkDraft, type PublishOptions, publishDraft } from './publish.ts'
import { type Approvers, type Over, reviewsOf, unapproved } from './review.ts'

export type PlanOptions = PublishOptions &
  Partial<Pick<PlanRecord, 'subject' | 'signin' | 'email'>> & {
    at: Date
    over: Over
    approvers?: Approvers | undefined
  }

/** A plan, as `--json` prints it. `reason` is the code of why it ended without a publication. */
export type PlanState = { at: string; who: string | null; plannedAt: string; endedAt?: string; reason?: string }

/** A time with its zone, as in `2026-12-01T09:00Z`; undefined for any other text and for a day that does not exist. */
export function parseTime(text: string): Date | undefined {
  const [, day] = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/.exec(text) ?? []
  const time = new Date(day === undefined ? Number.NaN : text)
  // 31 November would be 1 December.
  const isDay = new Date(`${day}T00:00Z`).toJSON()?.slice(0, 10) === day
  return isDay && !Number.isNaN(time.getTime()) ? time : undefined
}

/** Plans the publication of a draft for a time, instead of an earlier plan. It must pass what *Publish* checks now, and then. */
export function planPublication(store: Store, ref: ProjectRef, options: PlanOptions, now: Date): Outcome<PlanRecord> {
  const { at, seen, over, approvers, note, who, subject, signin, email, keepsWorkspace = false } = options
  return changeProject(store, ref, async (queries, record) => {
    if (at <= now) return failedWith('time_past', `${at.toISOString()} has passed: name a later time`)
    const checked = await checkDraft(queries, record, { seen, over }, now)
    if (!checked.ok) return checked
    if (approvers && (await unapproved(queries, [record], approvers, now)).length > 0) return unapprovedDraft(record)
    const { workspace, project } = record
    const { snapshot, settings } = draftState(record, await findWorkspaceFields(queries, workspace))
    const { reviews } = await reviewsOf(queries, record, now)
    const overRequests = reviews.flatMap(({ request }) => request ?? [])
    const by = { note, who, subject, signin, email, keepsWorkspace }
    const plan = { workspace, project, snapshot, settings, dueAt: at, ...by, overRequests, plannedAt: now }
    await savePlan(queries, plan)
    await recordChange(queries, workspace, project)
    return ok(plan)
  })
}

/** Cancels the plan of a project, also an ended one. */
export function cancelPlan(store: Store, ref: ProjectRef): Outcome<{ changed: boolean }> {
  return changeProject(store, ref, async (queries, { workspace, project }) => {
    const changed = await removePlan(queries, { workspace, project })
    if (changed) await recordChange(queries, workspace, project)
    return ok({ changed })
  })
}

export function planState({ dueAt, who, plannedAt, endedAt, reason }: PlanRecord): PlanState {
  const state = { at: dueAt.toISOString(), who: who ?? null, plannedAt: plannedAt.toISOString() }
  return endedAt && reason !== undefined ? { ...state, endedAt: endedAt.toISOString(), reason } : state
}

/**
 * Publishes the drafts whose time has come, and ends the plans of changed drafts, with new requests for changes, or of
 * people without the right. Each is settled in one transaction, so that several processes publish it once. Throws after
 * the others if one fails.
 */
export async function publishPlanned(store: Store): Promise<void> {
  const now = store.clock.date()
  const { records } = await listPlans(store.database, { isWaiting: true })
  await attemptEach(records, 'a planned publication failed', async plan => {
    const isDue = plan.dueAt <= now || (await obstacle(store.database, plan, now))
    if (isDue) await store.database.transaction(queries => settle(queries, plan, now))
  })
}

async function settle(queries: Queries, ref: ProjectRef, now: Date): Promise<void> {
  const plan = await findPlan(queries, ref)
  const record = await findProject(queries, ref.workspace, ref.project)
  if (!plan || plan.endedAt || !record || record.status === 'Processing') return
  const problem = await obstacle(queries, plan, now)
  if (problem) {
    await endPlan(queries, plan, { endedAt: now, reason: problem.code })
    await recordChange(queries, plan.workspace, plan.project)
    await addMail(queries, 'failed', plan, { now, reason: problem.message })
  } else if (plan.dueAt <= now) {
    const { note, who, keepsWorkspace, plannedAt } = plan
    const by = { note, who, keepsWorkspace, reviewed: { plannedAt: plannedAt.toISOString() } }
    await publishDraft(queries, record, by, now)
    await removePlan(queries, plan)
  }
}

/** The reason for which a draft cannot be published as planned. */
async function obstacle(
  queries: Queries,
  plan: PlanRecord,
  now: Date,
): Promise<{ code: string; message: string } | undefined> {
  const { workspace, project, reason, overRequests } = plan
  if (reason !== undefined)
    return { code: reason, message: 'the person who planned its publication has lost the right to publish it' }
  const record = await findProject(queries, workspace, project)
  const checked = record && (await checkDraft(queries, record, { seen: plan, over: overRequests }, now))
  return checked?.ok === false ? checked.problem : undefined
}
