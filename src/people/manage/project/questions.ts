import { history, rolledBackTo } from '#publishing/history.ts'
import { type Html, html, type Word } from '#site/html.ts'
import type { Words } from '#site/words/words.ts'
import type { ManageContext, Managed } from '../context.ts'
import { button, formHtml } from '../form.ts'
import type { Field } from '../sealed.ts'
import { liveLink } from '../share-section.ts'
import { isRestorable } from './history-section.ts'

/** A question before an action: what the action would do to readers, and the label of its button, as *Restore revision 3*. */
type Question = { text: (words: Words) => Word; label: (words: Words) => Word }

/**
 * The question that a form asks once, before it does what cannot be undone. Undefined for other forms, and for one whose
 * action was done already, such as for a link that has ended.
 */
export async function questionOf(
  context: ManageContext,
  managed: Managed,
  field: Field,
): Promise<Question | undefined> {
  if (field('do') === 'end-share') {
    const link = await liveLink(context, managed, field('id'))
    const name = link?.name
    const label = ({ manage: { share } }: Words) => (name === undefined ? share.end : share.endOf({ name }))
    return link && { text: ({ manage }) => manage.share.endAsk, label }
  }
  if (field('do') !== 'restore') return undefined
  const found = await history(context.store, managed.record)
  const entries = found.ok ? found.value : []
  const revision = Number(field('revision'))
  // The newest revision may be a copy of this one already.
  const isUseful = rolledBackTo(entries[0]?.note ?? '') !== revision
  const entry = isUseful && entries.find(each => each.revision === revision && isRestorable(each))
  return entry
    ? { text: ({ manage }) => manage.restoreHint, label: ({ manage }) => manage.restoreOf({ revision }) }
    : undefined
}

/** The form that repeats what was sent, now with the consent (`sure`). */
export function questionForm(words: Words, { label }: Question, field: Field, token: string): Html {
  const sent = ['id', 'revision'].map(name => html`<input type="hidden" name="${name}" value="${field(name)}">`)
  const sure = html`${sent}<input type="hidden" name="sure" value="yes">`
  const yes = button(field('do'), label(words), { isPrimary: true })
  return formHtml(token, html`${sure}<p>${yes} <a href="?">${words.consent.cancel}</a></p>`)
}
