import { createHmac } from 'node:crypto'
import type { Ids } from '#brand/contract/route.ts'
import { equalsInConstantTime } from '#platform/base/bytes.ts'
import { cookieValues, type Reply, type Request, withHeaders } from '#platform/exchange/message.ts'
import { setCookie } from '#platform/exchange/own-cookie.ts'
import { MAX_FORM_BYTES, receiveOwnForm } from '#platform/exchange/own-form.ts'
import type { Person } from '#serving/access/session/session-verifier.ts'
import { Html, html } from '#site/html.ts'
import { standalonePage } from '#site/pages/standalone-page.ts'
import { readerWords } from '#site/words/reader-words.ts'
import { button, unshared } from '../../manage/form.ts'
import { cookieNamed, keptText, signInAddress } from '../../manage/refused-request.ts'
import type { Editor } from './context.ts'

/** The action that only shows a form with the fields that it sends. */
export const RESTORE = 'restore'

/**
 * The reply to a form that a page of the editor sent after its session or its right had ended, the same for guides that do
 * not exist: it keeps all that was sent except files, to copy, and behind a button that shows the form again. Meanwhile,
 * people sign in in another tab. Undefined for any other request, and for browsers in which nobody has signed in before.
 */
export async function unsavedReply(
  context: Editor,
  request: Request,
  { workspace }: Pick<Ids, 'workspace'>,
  person: Person | undefined,
): Promise<Reply | undefined> {
  const { manage, room } = context
  if (request.method !== 'POST' || !request.upload) return undefined
  // The body of anybody else is not read without the right.
  const { sessions } = manage.site.service
  const reasonsToRead = [person, sessions.hasCookie(request, workspace), hasOpenedEditor(context, request)]
  if (!reasonsToRead.some(Boolean)) return undefined
  using share = room.shareOf(person?.subject ?? '')
  // Only files are larger, and a file would be dropped.
  const isText = Number(request.headers['content-length']) <= MAX_FORM_BYTES
  const received = { ...request, upload: share.counted(request.upload) }
  const form = isText ? await receiveOwnForm(manage.site.url, received) : { fields: new URLSearchParams() }
  if (!form) return undefined
  return unsavedPage(context, request, person, form.fields)
}

/** The page with all fields of a form, which its button sends again; the fields that a person typed are shown, to copy. */
async function unsavedPage(
  { manage, texts }: Editor,
  request: Request,
  person: Person | undefined,
  fields: URLSearchParams,
): Promise<Reply> {
  const words = readerWords(request)
  const { unsent } = words.manage
  const sentFields = [...fields].filter(([name]) => !['token', 'do', 'commit'].includes(name))
  const typedFields = sentFields.filter(
    ([name, value]) => !['base', 'opened', 'save', 'remove'].includes(name) && value !== '',
  )
  const typedTexts = typedFields.map(([, value]) => value)
  const keptForm = await texts.run('unsaved', { sent: sentFields, typed: typedTexts }, person?.id)
  const address = `${manage.site.here(request.path)}${request.query && `?${request.query}`}`
  const signIn = signInAddress(manage, request, address)
  const link = html`<a href="${signIn}" target="_blank">${words.signin.signIn}</a>`
  const [title, why] = person ? [unsent.edit, unsent.editRights] : [unsent.signIn, unsent.editSession]
  const text = html`<p tabindex="-1" autofocus role="alert">${why} ${link}</p>
${keptForm && typedTexts.length > 0 && keptText(unsent, new Html(keptForm.typed))}<form method="post">
${keptForm && new Html(keptForm.fields)}<p>${button(RESTORE, unsent.again, { isPrimary: true })}</p>
</form>`
  const policies = { referrer: 'same-origin' } as const
  return unshared(standalonePage(manage.site.assets, 403, { title, text, lang: words.lang, policies }))
}

/** Notes in the browser that somebody has opened the editor there. */
export function withEditorCookie(context: Editor, request: Request, reply: Reply): Reply {
  const cookie = { ...cookieOf(context, request), path: '/', maxAge: COOKIE_SECONDS }
  return withHeaders(reply, ['Set-Cookie', setCookie(cookie)])
}

/** Whether somebody has opened the editor in the browser, which drops the cookie of a session at its end. */
function hasOpenedEditor(context: Editor, request: Request): boolean {
  const { name, value } = cookieOf(context, request)
  const { cookie = '' } = request.headers
  return cookieValues(cookie, name).some(each => equalsInConstantTime(each, value))
}

/** The name and the value of the cookie, which is the same for all browsers and only this service can make. */
function cookieOf({ manage }: Editor, request: Request) {
  const value = createHmac('sha256', manage.formSecret).update('editor').digest('base64url')
  return { ...cookieNamed(manage, request, 'housestyle_editor'), value }
}

const COOKIE_SECONDS = 30 * 24 * 3600
