import { offersSignin } from '../access/session/signins.ts'
import type { Reply, Request } from '../exchange/message.ts'
import { readOwnForm } from '../exchange/own-form.ts'
import { decodeSegments } from '../exchange/target.ts'
import { type Html, html, type Word } from '../site/html.ts'
import { standalonePage } from '../site/pages/standalone-page.ts'
import { readerWords } from '../site/words/reader-words.ts'
import type { Words } from '../site/words/words.ts'
import type { ManageContext } from './context.ts'
import { MAX_FORM_BYTES, unshared } from './form.ts'

/**
 * The reply to a form of one of our pages whose sender may no longer do what it says. It is the same for guides that do
 * not exist. Undefined for all other requests, which get what an unknown address gets.
 */
export async function lateForm(
  context: ManageContext,
  request: Request,
  operation: string,
): Promise<Reply | undefined> {
  if (request.method !== 'POST' || !(operation === 'manage' || operation === 'review')) return undefined
  if (!ownForm(context, request)) return undefined
  const words = readerWords(request)
  const { unsent } = words.manage
  const person = await context.site.service.sessions.person(request, workspaceOf(request))
  const why = person ? unsent.rights : unsent.session
  return unsentPage(context, request, words, { status: 404, title: unsent[operation], why })
}

/** The reply to a form that is not from one of our pages, or from one of an earlier session. */
export function foreignForm(context: ManageContext, request: Request): Reply {
  const words = readerWords(request)
  const { foreign, foreignWhy } = words.manage
  return unsentPage(context, request, words, { status: 403, title: foreign, why: foreignWhy })
}

function ownForm({ site }: ManageContext, request: Request): URLSearchParams | undefined {
  return readOwnForm(site.service.access.publicUrl, request, { maxBytes: MAX_FORM_BYTES })
}

function workspaceOf({ path }: Request): string {
  return decodeSegments(path)?.[0] ?? ''
}

type UnsentPage = { status: number; title: Word; why: Word }

/** Keeps the text that one of our own forms sent, and returns to the form with it. */
function unsentPage(context: ManageContext, request: Request, words: Words, { status, title, why }: UnsentPage): Reply {
  const { assets, base, service } = context.site
  const { manage, signin, lang } = words
  const form = ownForm(context, request)
  const [name = '', text = ''] = TEXTS.map(key => [key, form?.get(key) ?? '']).find(([, value]) => value) ?? []
  const address = base + request.path
  const filled = name === '' ? address : `${address}?${new URLSearchParams({ [name]: text })}`
  const isCarried = filled.length <= MAX_ADDRESS
  const back = isCarried ? filled : address
  const workspace = workspaceOf(request)
  const signIn = `${base}/-/signin?${new URLSearchParams({ workspace, return: back })}`
  const links = [
    // A proxy signs people in by itself.
    (offersSignin(service.signins, workspace) || service.signins.of(workspace).length === 0) &&
      html`<a class="primary" href="${signIn}">${signin.signIn}</a> `,
    html`<a class="quiet" href="${back}">${manage.unsent.again}</a>`,
  ]
  const content = html`<p tabindex="-1" autofocus role="alert">${why}</p>
${text !== '' && keptText(manage.unsent, text, isCarried)}<p>${form && links}</p>`
  return unshared(standalonePage(assets, status, { title, text: content, lang, policies: { referrer: 'same-origin' } }))
}

const TEXTS = ['note', 'comment'] as const
/** As long as a sign-in keeps the address to return to. */
const MAX_ADDRESS = 2000

function keptText({ text, copyFirst }: Words['manage']['unsent'], value: string, isCarried: boolean): Html {
  return html`<p><label>${text} <textarea rows="4" dir="auto" readonly>
${value}</textarea></label></p>
${!isCarried && html`<p><strong>${copyFirst}</strong></p>\n`}`
}
