import { planState, WITHDRAWALS } from '#publishing/plan.ts'
import { type Html, html } from '#site/html.ts'
import type { Words } from '#site/words/words.ts'
import type { PlanState } from '#store/catalogue/history.ts'
import type { PlanRecord } from '#store/catalogue/plans.ts'
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
  const { dueAt, who, reason, note } = planned
  const cancel = formHtml(token, button('cancel-plan', reason === undefined ? plan.cancel : plan.forget))
  if (reason !== undefined) return html`<p class="result">${endedText(words, planState(planned))}</p>\n${cancel}`
  // Negative before the time: "in 3 hours" is the same in every time zone. In the last minute, the text leaves it out.
  const elapsedMs = now.getTime() - dueAt.getTime()
  const time = html`${timeHtml(words, dueAt)}${elapsedMs < -60_000 && html` (${words.ago(elapsedMs)})`}`
  return html`<p><strong>${plan.waits({ time, who: html`<bdi>${who ?? '–'}</bdi>` })}</strong></p>\n${note !== undefined && html`<p><q>${note}</q></p>\n`}${cancel}`
}

/** That a planned publication ended, and why. */
export function endedText(words: Words, { at, who, reason, note }: PlanState): Html {
  const { refusals, ended } = words.manage.plan
  const isWithdrawn = WITHDRAWALS.some(each => each === reason)
  const why = isWithdrawn ? 'withdrawn' : (REASONS.find(each => each === reason) ?? 'draft_changed')
  return html`${ended({ time: timeHtml(words, at), who: html`<bdi>${who ?? '–'}</bdi>` })} ${refusals[why]}${note !== undefined && html` <q>${note}</q>`}`
}

/** The reasons that have their own words; all others count as a changed draft. */
const REASONS = ['changes_requested', 'draft_unapproved', 'translation_refused', 'right_ended', 'cancelled'] as const

/**
 * The field and the button that plan a publication, inside the form that publishes. The label names
 * the zone of the field, and its present time.
 */
export function planFields(words: Words, { at, now }: { at: string; now: Date }): Html {
  const { plan } = words.manage
  return html`<details${at !== '' && html` open`}><summary>${plan.title}</summary>
<p><label>${plan.at({ time: html`<span class="zone">${timeHtml(words, now)}</span>` })} <input type="datetime-local" name="at" value="${at}"></label></p>
<p>${button('plan', plan.plan)}</p></details>`
}
