import type { Reply, Request } from '#platform/exchange/message.ts'
import { MAX_FORM_BYTES, receiveOwnForm } from '#platform/exchange/own-form.ts'
import type { Person } from '#serving/access/session/session-verifier.ts'
import { html } from '#site/html.ts'
import { standalonePage } from '#site/pages/standalone-page.ts'
import { readerWords } from '#site/words/reader-words.ts'
import { button, unshared } from '../../manage/form.ts'
import { keptText, signInAddress } from '../../manage/refused-request.ts'
import type { Editor } from './context.ts'

/** The action that only shows a form with the fields that it sends. */
export const RESTORE = 'restore'

/**
 * The reply to a form that a page of the editor sent after its session or its right had ended, the same for guides that do
 * not exist: it keeps all that was sent except files, to copy, and behind a button that shows the form again. Meanwhile,
 * people sign in in another tab. Undefined for any other request.
 */
export async function unsavedReply(
  { manage, room }: Editor,
  request: Request,
  person: Person | undefined,
): Promise<Reply | undefined> {
  if (request.method !== 'POST' || !request.upload) return undefined
  using share = room.shareOf(person?.subject ?? '')
  // Only files are larger, and a file would be dropped.
  const isText = Number(request.headers['content-length']) <= MAX_FORM_BYTES
  const received = { ...request, upload: share.counted(request.upload) }
  const form = isText ? await receiveOwnForm(manage.site.url, received) : { fields: new URLSearchParams() }
  if (!form) return undefined
  const words = readerWords(request)
  const { unsent } = words.manage
  const sent = [...form.fields].filter(([name]) => !['token', 'do', 'commit'].includes(name))
  const typed = sent.filter(([name, value]) => !['base', 'opened', 'save', 'remove'].includes(name) && value !== '')
  const fields = sent.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`)
  const address = `${manage.site.here(request.path)}${request.query && `?${request.query}`}`
  const signIn = signInAddress(manage, request, address)
  const link = html`<a href="${signIn}" target="_blank">${words.signin.signIn}</a>`
  const [title, why] = person ? [unsent.edit, unsent.editRights] : [unsent.signIn, unsent.editSession]
  const text = html`<p tabindex="-1" autofocus role="alert">${why} ${link}</p>
${typed.length > 0 && keptText(unsent, typed.map(([, value]) => value).join('\n'))}<form method="post">
${fields}<p>${button(RESTORE, unsent.again, { isPrimary: true })}</p>
</form>`
  const policies = { referrer: 'same-origin' } as const
  return unshared(standalonePage(manage.site.assets, 403, { title, text, lang: words.lang, policies }))
}
