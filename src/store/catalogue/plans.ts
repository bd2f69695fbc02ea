import type { Reviewers } from '#brand/draft.ts'
import type { ProjectRef } from '#brand/ids.ts'
import type { Queries } from '../database/database.ts'
import {
  address,
  date,
  defineTable,
  flag,
  jsonObject,
  optional,
  type RecordOf,
  strings,
  text,
} from '../database/table.ts'
import { snapshot } from './catalogue.ts'

/** Planned publications of drafts, at most one for each project. */
export const PLANS = defineTable('planned_publication', {
  workspace: text('workspace'),
  project: text('project'),
  /** The draft, and the digest of the other changes by publishing it. */
  snapshot: snapshot('snapshot'),
  settings: text('settings'),
  dueAt: date('due_at'),
  note: optional(text('note')),
  who: optional(text('who')),
  /** The person, if they were signed in. */
  subject: optional(text('subject')),
  signin: optional(text('signin')),
  email: optional(address('email')),
  keepsWorkspace: flag('keeps_workspace'),
  /** The ids of the open requests for changes over which it was planned. */
  overRequests: strings('over_requests'),
  plannedAt: date('planned_at'),
  /** Whether it needs an approval, and the reviewers whom the draft asked for. */
  needs: jsonObject<{ approval: boolean; reviewers?: Reviewers | undefined }>('needs'),
  /** When and why it ended without a publication: the code of a failure, or `right_ended`, which will end it. */
  endedAt: optional(date('ended_at')),
  reason: optional(text('reason')),
})

export type PlanRecord = RecordOf<typeof PLANS>

/** The plans of all projects by time, also ended ones. */
export function listPlans(queries: Queries): Promise<PlanRecord[]> {
  return PLANS.all(queries, BY_TIME)
}

/** The plans that wait, by time. A damaged one keeps no other from its time. */
export function listWaitingPlans(queries: Queries): Promise<PlanRecord[]> {
  return PLANS.sound(queries, `WHERE ended_at IS NULL ${BY_TIME}`)
}

const BY_TIME = 'ORDER BY due_at, workspace, project'

export async function findPlan(queries: Queries, { workspace, project }: ProjectRef): Promise<PlanRecord | undefined> {
  return PLANS.one(queries, OF_PROJECT, workspace, project)
}

const OF_PROJECT = 'WHERE workspace = ? AND project = ?'

/** Saves a plan instead of the earlier one of the project, inside a transaction. */
export async function savePlan(queries: Queries, plan: PlanRecord): Promise<void> {
  await removePlan(queries, plan)
  await PLANS.add(queries, plan)
}

/** Removes the plan of a project, inside a transaction; false if it has none. */
export async function removePlan(queries: Queries, { workspace, project }: ProjectRef): Promise<boolean> {
  return (await queries.run(`DELETE FROM planned_publication ${OF_PROJECT}`, workspace, project)) > 0
}

/** Gives a plan that waits its end without a publication or, without a time, the reason for which a service will end it. */
export async function endPlan(
  queries: Queries,
  { workspace, project }: ProjectRef,
  end: Pick<PlanRecord, 'reason' | 'endedAt'>,
): Promise<void> {
  await PLANS.set(queries, end, `${OF_PROJECT} AND ended_at IS NULL`, workspace, project)
}
