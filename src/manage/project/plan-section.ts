import { type Html, html } from '../../site/html.ts'
import type { Words } from '../../site/words/words.ts'
import type { PlanRecord } from '../../store/catalogue/plans.ts'
import { button, formHtml } from '../form.ts'
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
  const distance = reason === undefined && html` (${words.ago(now.getTime() - dueAt.getTime())})`
  const facts = { time: html`${timeHtml(words, dueAt)}${distance}`, who: html`<bdi>${who ?? '–'}</bdi>` }
  const cancel = formHtml(token, button('cancel-plan', reason === undefined ? plan.cancel : plan.forget))
  if (reason === undefined) return html`<p><strong>${plan.waits(facts)}</strong></p>\n${cancel}`
  const why = REASONS.find(each => each === reason) ?? 'draft_changed'
  return html`<p><strong>${plan.ended(facts)}</strong> ${plan.refusals[why]}</p>\n${cancel}`
}

const REASONS = [
  'draft_changed',
  'changes_requested',
  'draft_unapproved',
  'translation_refused',
  'right_ended',
] as const

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
