import type { Person, RefusedPerson } from '../../access/session/session-verifier.ts'
import { RETRY_SOON } from '../../contract/refusals.ts'
import { type Reply, type Request, withHeaders } from '../../exchange/message.ts'
import { type Html, html, type Word } from '../../site/html.ts'
import { refusedText, standalonePage, whomToAsk } from '../../site/pages/standalone-page.ts'
import { readerWords } from '../../site/words/reader-words.ts'
import type { Words } from '../../site/words/words.ts'
import type { SigninRecord } from '../../store/access/signins.ts'
import type { SigninContext } from '../context.ts'
import type { IssuerFailure } from './issuer-failure.ts'
import { SIGNIN_PATH, SIGNOUT_PATH } from './signin-addresses.ts'

/** A workspace, and the address to return to. */
type Started = { workspace: string; returnPath: string }

/** Offers the issuers of a workspace. An issuer without a name is called by the workspace, never by its address. */
export async function choicePage(
  context: SigninContext,
  request: Request,
  signins: readonly SigninRecord[],
  returnPath: string,
): Promise<Reply> {
  const words = readerWords(request)
  const state = await context.pointers.workspace(signins[0]?.workspace ?? '')
  const buttons = signins.map(
    ({ id, workspace, settings }) =>
      html`<li><a href="${startAddress(context, { workspace, returnPath })}&amp;with=${id}">${settings.name ?? state?.name ?? workspace}</a></li>\n`,
  )
  const text = html`<p>${words.signin.choose}</p>\n<ul class="cards">\n${buttons}</ul>`
  return page(context, words, 200, words.signin.signIn, text)
}

/** Sign-in needs https, except on this machine. */
export function insecurePage(context: SigninContext, request: Request): Reply {
  const words = readerWords(request)
  return page(context, words, 403, words.signin.insecure, html`<p>${words.signin.insecureWhy}</p>`)
}

/** An issuer failed: people learn whether to wait, to ask, or to sign in again. */
export async function failurePage(
  context: SigninContext,
  request: Request,
  started: Started,
  failure: IssuerFailure,
): Promise<Reply> {
  const words = readerWords(request)
  const { signin } = words
  const pageAbout = (status: number, title: Word, why: Html | Word) =>
    page(context, words, status, title, html`<p>${why}</p>\n${again(context, words, started)}`)
  if (failure === 'unavailable')
    return withHeaders(pageAbout(503, signin.unavailable, signin.unavailableWhy), RETRY_SOON)
  if (failure !== 'setup') return pageAbout(400, signin.notCompleted, signin.notCompletedWhy)
  const contact = whomToAsk(signin, await context.contactOf(started.workspace))
  return pageAbout(503, signin.setup, signin.setupWhy({ contact }))
}

/** The answer of an issuer belongs to no sign-in of this browser. */
export function expiredPage(context: SigninContext, request: Request, started: Started | undefined): Reply {
  const words = readerWords(request)
  const text = html`<p>${words.signin.expiredWhy}</p>\n${started && again(context, words, started)}`
  return page(context, words, 400, words.signin.expired, text)
}

/** A person without access learns why, and whom to ask. */
export async function refusedPage(
  context: SigninContext,
  request: Request,
  started: Started,
  refused: RefusedPerson,
): Promise<Reply> {
  const words = readerWords(request)
  const reason = refusedText(words, refused, await context.contactOf(started.workspace))
  return page(context, words, 403, words.signin.noAccess, html`${reason}\n${again(context, words, started)}`)
}

/** The button that signs out. Its form may redirect to the issuer, and from there to others. */
export function signoutButtonPage(
  context: SigninContext,
  request: Request,
  { workspace, name }: Person,
  returnPath: string | undefined,
): Reply {
  const { signin, frame, lang } = readerWords(request)
  const isEncrypted = context.publicUrl.startsWith('https:')
  const text = html`<h1>${frame.signOut}</h1>
<p>${name === undefined ? signin.signedIn : signin.signedInAs({ name: html`<bdi>${name}</bdi>` })}</p>
<form method="post" action="${context.base}${SIGNOUT_PATH}">
<input type="hidden" name="workspace" value="${workspace}">
<button>${frame.signOut}</button>
</form>${returnPath !== undefined && html`\n<p><a href="${returnPath}">${signin.stay}</a></p>`}`
  const formTargets = isEncrypted ? "'self' https:" : "'self' https: http:"
  const policies = { formTargets, referrer: 'same-origin' }
  return standalonePage(context.assets, 200, { title: frame.signOut, text, lang, policies })
}

export function signedOutPage(context: SigninContext, request: Request): Reply {
  const words = readerWords(request)
  const text = html`<p><a href="${context.base}/">${words.nothing.publicGuides}</a></p>`
  return page(context, words, 200, words.signin.signedOut, text)
}

/** A page of another site tried to sign someone out. */
export function foreignSignoutPage(context: SigninContext, request: Request): Reply {
  const words = readerWords(request)
  return page(context, words, 403, words.signin.foreign, html`<p>${words.signin.foreignWhy}</p>`)
}

function page({ assets }: SigninContext, { lang }: Words, status: number, title: Word, text: Html): Reply {
  return standalonePage(assets, status, { title, text: html`<h1>${title}</h1>\n${text}`, lang })
}

function again(context: SigninContext, { signin }: Words, started: Started): Html {
  return html`<p><a href="${startAddress(context, started)}">${signin.again}</a></p>`
}

/** The address that begins a sign-in, below the host. */
function startAddress({ base }: SigninContext, { workspace, returnPath }: Started): string {
  return `${base}${SIGNIN_PATH}?${new URLSearchParams({ workspace, return: returnPath })}`
}
