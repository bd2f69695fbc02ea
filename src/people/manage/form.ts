import { equalsInConstantTime } from '#platform/base/bytes.ts'
import { fieldText } from '#platform/base/text.ts'
import { type Reply, type Request, withHeaders } from '#platform/exchange/message.ts'
import { readOwnForm } from '#platform/exchange/own-form.ts'
import { type Html, html, type Word } from '#site/html.ts'
import type { Words } from '#site/words/words.ts'
import { formToken, type ManageContext, type Managed, type Sender } from './context.ts'
import type { Field } from './sealed.ts'

/** A form that was sent: what its button says, and its fields. */
export type Sent = { action: string; field: Field }

/** Why a form changed nothing, and the status of the page that says so. */
export type Refused<Reason> = { status: 400 | 404 | 409 | 422; reason: Reason }

/** A refusal of a form of a project; `published`: somebody else has published this draft since; `sure`: it asks once. */
export type ProjectRefusal = Refused<keyof Words['manage']['refusals'] | 'published' | 'sure'>

/**
 * Does what a button says with a project. Returns a refusal; or once it is done, undefined, a secret that the person sees
 * once, or another name for what was done.
 */
export type ProjectAction = (
  context: ManageContext,
  managed: Managed,
  sent: Sent,
) => Promise<ProjectRefusal | { secret: string } | { action: string } | undefined>

/** Reads a form of a sender; undefined if another site could have sent it. */
export function readForm(context: ManageContext, request: Request, sender: Sender): Sent | undefined {
  const form = ownForm(context, request)
  if (!form || !equalsInConstantTime(fieldText(form, 'token'), formToken(context, sender))) return undefined
  const field = (name: string) =>
    (form.get(name) ?? '').replaceAll(/\r\n?/g, '\n').replaceAll(CONTROL_CHARACTERS, '').trim()
  return { action: field('do'), field }
}

/** The fields of a form that one of our pages sent, perhaps for another person; undefined for any other request. */
export function ownForm({ site }: ManageContext, request: Request): URLSearchParams | undefined {
  return readOwnForm(site.url, request, { maxBytes: MAX_FORM_BYTES })
}

/** The most bytes of a form: as many as the server accepts, so that too long a text gets a reply about its length. */
const MAX_FORM_BYTES = 64 << 10
/** Control characters except line feeds and tabs. PostgreSQL refuses NUL. */
const CONTROL_CHARACTERS = /[^\P{Cc}\n\t]/gu

/** A form for a sender, with its fields and buttons. */
export function formHtml(token: string, content: Html, attributes?: Html): Html {
  return html`<form method="post"${attributes}>
<input type="hidden" name="token" value="${token}">
${content}
</form>
`
}

/**
 * A button that sends its form with `action` as the field `do`. `name` distinguishes it from others with its label: *Restore
 * revision 3*. A disabled one can still be read and pressed; its reply says why.
 */
export function button(
  action: string,
  label: Word,
  { name, isPrimary = false, isDisabled = false }: { name?: Word; isPrimary?: boolean; isDisabled?: boolean } = {},
): Html {
  return html`<button name="do" value="${action}"${isPrimary && html` class="primary"`}${isDisabled && html` aria-disabled="true"`}${name !== undefined && html` aria-label="${name}"`}>${label}</button>`
}

/** The form that ends a link, a session or the like with an id, by its button `end`. */
export function endForm(token: string, id: string, end: Html): Html {
  return formHtml(token, html`<input type="hidden" name="id" value="${id}">${end}`)
}

/** Keeps a page of a person out of search engines and frames; its `Cache-Control` keeps it out of caches. */
export function unshared(reply: Reply): Reply {
  return withHeaders(reply, ['X-Robots-Tag', 'noindex', 'X-Frame-Options', 'DENY'])
}
