import { randomBytes } from 'node:crypto'
import type { Ids } from '#brand/contract/route.ts'
import { isProjectId, isStoredWorkspaceId } from '#brand/ids.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { cookieValues, type Reply, type Request, withHeaders } from '#platform/exchange/message.ts'
import { isSecure, setCookie } from '#platform/exchange/own-cookie.ts'
import { isFromOwnPage } from '#platform/exchange/own-form.ts'
import { decodeSegments } from '#platform/exchange/target.ts'
import type { Person } from '#serving/access/session/session-verifier.ts'
import { offersSignin } from '#serving/access/session/signins.ts'
import { linkAdmission } from '#site/authorize.ts'
import { type Html, html, type Word } from '#site/html.ts'
import { standalonePage } from '#site/pages/standalone-page.ts'
import { readerWords } from '#site/words/reader-words.ts'
import type { Words } from '#site/words/words.ts'
import type { ManageContext, Sender } from './context.ts'
import { ownForm, readForm, unshared } from './form.ts'
import { type Field, seal, unseal } from './sealed.ts'

/**
 * Records a refused request in the audit log: a form, or a page that a signed-in person lacks the right to open. A visitor
 * without a session who only opens a page gets no line. Returns the given reply; without one, the reply to a form of our own
 * pages whose sender may no longer do what it says, the same for guides that do not exist; or undefined, for the reply to an
 * unknown address.
 */
export async function replyOrRefusal(
  context: ManageContext,
  request: Request,
  { ids, operation, reply }: Answered,
): Promise<Reply | undefined> {
  const isForm = request.method === 'POST'
  const isAccepted = reply && (!isForm || reply.status < 400)
  // Somebody who has no session opens a page that they may not see.
  const isVisit = !reply && !isForm && !request.headers.cookie
  if (isAccepted || isVisit) return reply
  const { workspace = '' } = ids
  const person = await personOf(context, request, workspace)
  if (!person && !isForm) return undefined
  await recordRefusal(context, request, person, { ids, operation, reply })
  const isOwnForm = (operation === 'manage' || operation === 'review') && ownForm(context, request)
  if (reply || !isForm || !isOwnForm) return reply
  const words = readerWords(request)
  const { unsent } = words.manage
  const lostRight = { title: operation === 'manage' ? unsent.manage : unsent.review, why: unsent.rights }
  const lostSession = { title: unsent.signIn, why: unsent.session }
  return unsentPage(context, request, words, { status: 404, ...(person ? lostRight : lostSession) })
}

/** A request, and the reply that it gets in any case. */
type Answered = { ids: Ids; operation: string; reply: Reply | undefined }

/** Records a refused request with its reason and its sender. */
async function recordRefusal(
  context: ManageContext,
  request: Request,
  person: Person | undefined,
  { ids: { workspace = '', project = '' }, operation, reply }: Answered,
): Promise<void> {
  const isLink = !person && reply !== undefined
  const share = isLink ? (await linkAdmission(context.site, request, { workspace, project }))?.link?.id : undefined
  const hiddenReason = person ? 'rights' : 'session'
  context.access.record({
    event: request.method === 'POST' ? 'form-refused' : 'page-refused',
    reason: reply ? reasonOf(context, request, reply, person ?? { link: share ?? '' }) : hiddenReason,
    operation,
    // Anything may be in the address of a refused request.
    ...(isStoredWorkspaceId(workspace) && { workspace }),
    ...(isProjectId(project) && { project }),
    ...withoutUndefined({ subject: person?.subject, share }),
    address: request.address,
  })
}

/** The person of a request; for an address of no workspace, any of those who are signed in. */
async function personOf({ site }: ManageContext, request: Request, workspace: string): Promise<Person | undefined> {
  return workspace === ''
    ? (await site.service.sessions.people(request))[0]
    : site.service.sessions.person(request, workspace)
}

/** Why a form changed nothing, for the audit log. A valid form that gets 403 has a sender who may not do what it says. */
function reasonOf(context: ManageContext, request: Request, { status }: Reply, sender: Sender): string {
  if (status === 409) return 'changed'
  if (status !== 403) return 'content'
  if (!isFromOwnPage(context.site.url, request)) return 'cross-site'
  // The editor reads the form of a person only after the right is known.
  const isCurrent = request.upload ? 'subject' in sender : readForm(context, request, sender)
  return isCurrent ? 'rights' : 'session'
}

/** The reply to a form that is not from one of our pages, or from one of an earlier session. */
export function foreignForm(context: ManageContext, request: Request): Reply {
  const words = readerWords(request)
  const { foreign, foreignWhy } = words.manage
  return unsentPage(context, request, words, { status: 403, title: foreign, why: foreignWhy })
}

type UnsentPage = { status: number; title: Word; why: Word }

/**
 * A page that keeps the fields which one of our own forms sent: encrypted in the address of its link back to the form,
 * which opens only in the same browser. Fields too long for an address are shown to be copied.
 */
function unsentPage(context: ManageContext, request: Request, words: Words, { status, title, why }: UnsentPage): Reply {
  const { assets, here } = context.site
  const { manage, signin, lang } = words
  const form = ownForm(context, request)
  const fields = Object.fromEntries([...(form ?? [])].filter(([name, value]) => KEPT.includes(name) && value !== ''))
  // The text that the person wrote.
  const text = fields.note ?? fields.comment ?? fields.name
  // The link back to the form, with its fields if they fit into an address.
  const address = here(request.path)
  const browser = browsersOf(context, request)[0] ?? randomBytes(32).toString('base64url')
  const sealed = new URLSearchParams({ [NAME]: seal(context, boundTo(request, browser), fields) })
  const filledAddress = Object.keys(fields).length > 0 ? `${address}?${sealed}` : address
  const isInAddress = filledAddress.length <= MAX_ADDRESS
  const back = isInAddress ? filledAddress : address
  const signIn = signInAddress(context, request, back)
  // With 403, the sender may open the form, so the link back to it comes first. A proxy signs people in by itself.
  const [signInClass, backClass] = status === 403 ? ['quiet', 'primary'] : ['primary', 'quiet']
  const links = [
    signIn !== back && html`<a class="${signInClass}" href="${signIn}">${signin.signIn}</a> `,
    html`<a class="${backClass}" href="${back}">${manage.unsent.again}</a>`,
  ]
  const content = html`<p tabindex="-1" autofocus role="alert">${why}</p>
${text !== undefined && keptText(manage.unsent, text, isInAddress)}<p>${form && links}</p>`
  const policies = { referrer: 'same-origin' } as const
  const reply = unshared(standalonePage(assets, status, { title, text: content, lang, policies }))
  const cookie = { ...cookieOf(context, request), value: browser, path: '/' }
  return form ? withHeaders(reply, ['Set-Cookie', setCookie(cookie)]) : reply
}

/** The address at which people sign in and return. A proxy signs them in by itself, at every page. */
export function signInAddress({ site: { here, service } }: ManageContext, { path }: Request, back: string): string {
  const [workspace = ''] = decodeSegments(path) ?? []
  const isProxied = !offersSignin(service.signins, workspace) && service.signins.of(workspace).length > 0
  return isProxied ? back : here(`/-/signin?${new URLSearchParams({ workspace, return: back })}`)
}

/** The fields that people fill in. */
const KEPT: readonly string[] = ['note', 'at', 'comment', 'of', 'mayApprove', 'name', 'expires']
/**
 * The longest address with the fields of a form: as long as a sign-in keeps the address to return to. The fields are
 * encrypted, because addresses are in histories and in logs of proxies.
 */
export const MAX_ADDRESS = 2000
const NAME = 'unsent'
const COOKIE = 'housestyle_unsent'

/**
 * What sealed fields are bound to: the page, and a random value that only the browser has that sent them. With the address
 * alone, somebody else could fill in a form for a person.
 */
function boundTo({ path }: Request, browser: string): readonly string[] {
  return [NAME, path, browser]
}

/** The random values of a browser, usually one. Neighbouring hosts cannot set a `__Host-` cookie. */
function browsersOf(context: ManageContext, request: Request): string[] {
  const values = cookieValues(request.headers.cookie ?? '', cookieOf(context, request).name)
  return values.filter(value => /^[\w-]{43}$/.test(value))
}

function cookieOf(context: ManageContext, request: Request): { name: string; secure: boolean } {
  return cookieNamed(context, request, COOKIE)
}

/** A cookie of ours, whose name keeps neighbouring hosts from setting it where browsers use https. */
export function cookieNamed(
  { site }: ManageContext,
  request: Request,
  name: string,
): { name: string; secure: boolean } {
  const secure = isSecure(site.service.access.publicUrl, request)
  return { name: `${secure ? '__Host-' : ''}${name}`, secure }
}

/** Text for which no form is left, to copy. `isInAddress`: the link back to its form has it too. */
export function keptText(
  { text, copyFirst }: Words['manage']['unsent'],
  value: string | Html,
  isInAddress = true,
): Html {
  return html`<p><label>${text} <textarea rows="4" dir="auto" readonly>
${value}</textarea></label></p>
${!isInAddress && html`<p><strong>${copyFirst}</strong></p>\n`}`
}

/** The fields of a form that this browser sent too late, on the page to which its sender has returned. */
export function unsentField(context: ManageContext, request: Request): Field {
  const sealed = new URLSearchParams(request.query).get(NAME) ?? ''
  const opened = browsersOf(context, request).map(browser => unseal(context, boundTo(request, browser), sealed))
  return opened.find(field => field !== undefined) ?? (() => '')
}
