import { cookieValues, type Reply, type Request, withHeaders } from '#platform/exchange/message.ts'
import { isSecure, setCookie } from '#platform/exchange/own-cookie.ts'
import { redirect } from '#platform/exchange/reply.ts'
import { type Html, html, type Word } from '#site/html.ts'
import { type ManageContext, type Sender, senderParts } from './context.ts'
import { ownForm, type Refused, readForm, type Sent, unshared } from './form.ts'
import { type Entitled, withRight } from './live-right.ts'
import { foreignForm, MAX_ADDRESS, unsentField } from './refused-request.ts'
import { type Field, seal, unseal } from './sealed.ts'

/** What a form did, and the secret that only its person sees, once. */
export type Done = { action: string; secret?: string | undefined }

/** The result of the last form of a page, or why it changed nothing; and the fields of one that was refused or sent too late. */
export type LastForm<Reason> = { done?: Done | undefined; refused?: Refused<Reason>; field: Field }

/** How a page with forms answers. */
type FormPage<Reason> = {
  show: (last: LastForm<Reason>) => Promise<Reply | undefined>
  /** Does what a form says. Changes something only in the given context, whose transactions check the right again. */
  act: (sent: Sent, context: ManageContext) => Promise<Reply | Done | Refused<Reason>>
  /** Refusals that ask whether to go on. Each has its own address, to which *Back* returns. */
  questions?: readonly Refused<Reason>[]
}

/**
 * Shows a page of a sender, or does what its form says and redirects to the page, which says once what was done, so that
 * a reload repeats nothing. A secret travels in an encrypted cookie that only this page receives, and that opens only for
 * its sender. Undefined if the sender may no longer act.
 */
export async function formPage<Reason>(
  context: ManageContext,
  request: Request,
  sender: Entitled,
  { show, act, questions = [] }: FormPage<Reason>,
): Promise<Reply | undefined> {
  if (request.method === 'POST') {
    const sent = readForm(context, request, sender)
    if (!sent) return foreignForm(context, request)
    const outcome = await withRight(context, sender, currentContext => act(sent, currentContext))
    // Undefined if the right has ended; else what was done (with an `action`), a refusal (with a `reason`), or a reply.
    if (!outcome) return undefined
    if ('action' in outcome) return redirectDone(context, request, sender, outcome)
    const isReply = !('reason' in outcome)
    if (isReply) return outcome
    // A question has its own address; if that would be too long, this reply asks.
    if (questions.some(({ reason }) => reason === outcome.reason)) {
      const toQuestion = redirectQuestion(context, request, sender, `${outcome.reason}`)
      if (toQuestion) return toQuestion
    }
    const reply = await show({ refused: outcome, field: sent.field })
    return reply && { ...reply, status: outcome.status }
  }
  // The page of a question, or the page itself.
  const sealed = new URLSearchParams(request.query).get(ASKED)
  const field = sealed === null ? undefined : unseal(context, [ASKED, ...boundTo(request, sender)], sealed)
  const question = questions.find(({ reason }) => reason === field?.('reason'))
  if (field && question) return show({ refused: question, field })
  const done = readDone(context, request, sender)
  const reply = await show({ done, field: unsentField(context, request) })
  return done && reply ? withHeaders(reply, ['Set-Cookie', cookie(context, request, 'shown')]) : reply
}

/** Redirects to the page with what was done in its address (`?done=publish`), and in a cookie with the secret. */
function redirectDone(context: ManageContext, request: Request, sender: Sender, { action, secret = '' }: Done): Reply {
  const until = `${context.store.clock.date().getTime() + SECONDS * 1000}`
  const value = seal(context, boundTo(request, sender), { action, secret, until })
  const address = `${context.site.here(request.path)}?${new URLSearchParams({ done: action })}`
  return withHeaders(unshared(redirect(303, address)), ['Set-Cookie', cookie(context, request, value, SECONDS)])
}

/** The address of a question has the fields of the form, encrypted; undefined if it would be too long. */
function redirectQuestion(context: ManageContext, request: Request, sender: Sender, reason: string): Reply | undefined {
  const { token, ...sent } = Object.fromEntries(ownForm(context, request) ?? [])
  const fields = { ...sent, reason }
  const sealed = seal(context, [ASKED, ...boundTo(request, sender)], fields)
  const address = `${context.site.here(request.path)}?${new URLSearchParams({ [ASKED]: sealed })}`
  return address.length <= MAX_ADDRESS ? unshared(redirect(303, address)) : undefined
}

/** The parameter with the fields of the form that asks. */
const ASKED = 'asked'

/** How long a result waits for its page: long enough for a slow connection. */
const SECONDS = 300

/** What the last form did, if its page has not said so yet. */
function readDone(context: ManageContext, request: Request, sender: Sender): Done | undefined {
  const { headers, query, method } = request
  const action = new URLSearchParams(query).get('done')
  if (action === null || method !== 'GET') return undefined
  const cookies = cookieValues(headers.cookie ?? '', NAME)
  // Browsers that refuse cookies also get the words, without a secret. For a link of another site, nothing was done.
  if (cookies.length === 0) return (headers['sec-fetch-site'] ?? OWN) === OWN ? { action } : undefined
  const now = context.store.clock.date().getTime()
  return cookies
    .flatMap(each => unseal(context, boundTo(request, sender), each) ?? [])
    .filter(field => field('action') === action && Number(field('until')) >= now)
    .map(field => ({ action, secret: field('secret') || undefined }))
    .at(0)
}

const NAME = 'housestyle_done'
const OWN = 'same-origin'

/** What a sealed result is bound to: its page and its sender. */
function boundTo({ path }: Request, sender: Sender): readonly string[] {
  return ['done', path, ...senderParts(sender)]
}

/**
 * The cookie of a result, whose path keeps it from all other pages. Once the result was shown, a mark without a maximum age
 * takes its place, which ends with the browser.
 */
function cookie({ site }: ManageContext, request: Request, value: string, maxAge?: number): string {
  const path = site.here(request.path)
  const secure = isSecure(site.service.access.publicUrl, request)
  return setCookie({ name: NAME, value, path, secure, ...(maxAge !== undefined && { maxAge }) })
}

/** Why the last form changed nothing, or what it did. Screen readers read it at once, because it has the focus. 409 is a warning. */
export function resultHtml(
  refusal: Html | Word | undefined,
  done: Html | Word | false | undefined,
  status?: number,
): Html | undefined {
  const text = refusal ?? done
  const [kind, role] = refusal === undefined ? ['done', 'status'] : [status === 409 ? 'warned' : 'failed', 'alert']
  return text ? html`<p class="result ${kind}" tabindex="-1" autofocus role="${role}">${text}</p>\n` : undefined
}
