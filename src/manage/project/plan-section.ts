import { managesAll } from '../../access/session/exercised-rights.ts'
import { cancelPlan, parseTime, planPublication } from '../../publishing/plan.ts'
import { MAX_NOTE } from '../../publishing/publish.ts'
import { parseState } from '../../publishing/review.ts'
import { type Html, html } from '../../site/html.ts'
import type { Words } from '../../site/words/words.ts'
import type { PlanRecord } from '../../store/catalogue/plans.ts'
import { auditedBy, whoOf } from '../context.ts'
import { button, formHtml, type ProjectAction } from '../form.ts'
import { timeHtml } from '../manage-page.ts'

/** The planned publication of a draft, with the form that cancels it, or why it ended. Undefined without one. */
export function planSection(
  words: Words,
  planned: PlanRecord | undefined,
  { token, now }: { token: string; now: Date },
): Html | undefined {
  if (!planned) return undefined
  const { plan } = words.manage
  const { dueAt, who, reason } = planned
  // The duration is the same in every time zone.
  const time = html`${timeHtml(words, dueAt)} (${words.ago(now.getTime() - dueAt.getTime())})`
  const facts = { time, who: html`<bdi>${who ?? '–'}</bdi>` }
  const cancel = formHtml(token, button('cancel-plan', reason === undefined ? plan.cancel : plan.forget))
  if (reason === undefined) return html`<p><strong>${plan.waits(facts)}</strong></p>\n${cancel}`
  const why = REASONS.find(each => each === reason) ?? 'draft_changed'
  return html`<p><strong>${plan.ended(facts)}</strong> ${plan.refusals[why]}</p>\n${cancel}`
}

const REASONS = ['draft_changed', 'changes_requested', 'draft_unapproved', 'right_ended'] as const

/**
 * The field and the button that plan a publication, inside the form that publishes. The field has no zone, so the label
 * has the time of UTC, for comparison with any clock.
 */
export function planFields(words: Words, { at, now }: { at: string; now: Date }): Html {
  const { plan } = words.manage
  return html`<details${at !== '' && html` open`}><summary>${plan.title}</summary>
<p><label>${plan.at({ time: timeHtml(words, now) })} <input type="datetime-local" name="at" value="${at}"></label></p>
<p>${button('plan', plan.plan)}</p></details>`
}

export const planDraft: ProjectAction = async (context, { record, person }, { field }) => {
  const { store, access } = context
  const [note, seen] = [field('note').replaceAll(/\s+/g, ' ').trim(), parseState(field('draft'))]
  if (note.length > MAX_NOTE) return { status: 422, reason: 'note_long' }
  const time = parseTime(`${field('at')}Z`)
  if (!time) return { status: 422, reason: 'time_invalid' }
  if (!seen) return { status: 422, reason: 'form' }
  const { subject, signin, email } = person
  const by = { who: whoOf(person), subject, signin, email, keepsWorkspace: !managesAll(person) }
  const options = { ...by, seen, at: time, over: field('over').split(' '), note: note === '' ? undefined : note }
  const planned = await planPublication(store, record, options, store.clock.date())
  const { workspace, project } = record
  if (planned.ok) {
    auditedBy(access, person).record({ event: 'publication-planned', workspace, project })
    return undefined
  }
  const reason = PROBLEMS.find(each => each === planned.problem.code) ?? 'form'
  return { status: reason === 'time_past' || reason === 'form' ? 422 : 409, reason }
}

const PROBLEMS = ['time_past', 'draft_changed', 'changes_requested', 'draft_unapproved', 'project_copying'] as const

export const cancelPlanned: ProjectAction = async ({ store }, { record }) => {
  const cancelled = await cancelPlan(store, record)
  return cancelled.ok ? undefined : { status: 409, reason: 'project_copying' }
}
