import { ok } from '../base/result.ts'
import type { ProjectRef } from '../brand/ids.ts'
import { addMail } from '../store/access/mail.ts'
import { findProject, type ProjectRecord } from '../store/catalogue/catalogue.ts'
import { recordChange } from '../store/catalogue/changes.ts'
import { endPlan, findPlan, listPlans, type PlanRecord, removePlan, savePlan } from '../store/catalogue/plans.ts'
import { findWorkspaceFields } from '../store/catalogue/workspace-fields.ts'
import type { Queries } from '../store/database/database.ts'
import type { Store } from '../store/store.ts'
import { changeProject, failedWith, type Outcome, unapprovedDraft } from './project-ref.ts'
import { checkDraft, type PublishOptions, publishDraft } from './publish.ts'
import { type Approvers, draftState, reviewsOf, unapproved } from './review.ts'

export type PlanOptions = PublishOptions &
  Partial<Pick<PlanRecord, 'subject' | 'signin' | 'email'>> & {
    at: Date
    over: NonNullable<PublishOptions['over']>
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
    const overRequests = (await reviewsOf(queries, record, now)).requests.map(({ id }) => id)
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
 * Publishes the drafts whose time has come, and ends the plans of changed drafts and those with new requests for changes.
 * Each is settled in one transaction, so that several processes publish it once.
 */
export async function publishPlanned(store: Store, only?: ProjectRef): Promise<void> {
  const now = store.clock.date()
  const isWanted = ({ workspace, project, endedAt }: PlanRecord) =>
    !endedAt && (!only || (workspace === only.workspace && project === only.project))
  for (const plan of (await listPlans(store.database)).records.filter(isWanted)) {
    const record = await findProject(store.database, plan.workspace, plan.project)
    const isDue = plan.dueAt <= now || (record && (await obstacle(store.database, record, plan, now)) !== undefined)
    if (isDue) await store.database.transaction(queries => settle(queries, plan, now))
  }
}

async function settle(queries: Queries, { workspace, project }: ProjectRef, now: Date): Promise<void> {
  const plan = await findPlan(queries, { workspace, project })
  const record = await findProject(queries, workspace, project)
  if (!plan || plan.endedAt || !record || record.status === 'Processing') return
  const reason = await obstacle(queries, record, plan, now)
  if (reason !== undefined) {
    await endPlan(queries, plan, reason.code, now)
    await recordChange(queries, workspace, project)
    await addMail(queries, 'failed', record, { now, reason: reason.message })
  } else if (plan.dueAt <= now) {
    const { note, who, keepsWorkspace, plannedAt } = plan
    await publishDraft(
      queries,
      record,
      { note, who, keepsWorkspace, reviewed: { plannedAt: plannedAt.toISOString() } },
      now,
    )
    await removePlan(queries, plan)
  }
}

async function obstacle(queries: Queries, record: ProjectRecord, plan: PlanRecord, now: Date) {
  const checked = await checkDraft(queries, record, { seen: plan, over: plan.overRequests }, now)
  return checked.ok ? undefined : checked.problem
}
