import { RETRY_SOON } from '#brand/contract/refusals.ts'
import { type Reply, type Request, withHeaders } from '#platform/exchange/message.ts'
import type { Person, RefusedPerson } from '#serving/access/session/session-verifier.ts'
import { type Html, html, type Word } from '#site/html.ts'
import { introductionOf } from '#site/introduction.ts'
import { signoutTargets } from '#site/layout/document.ts'
import { refusedText, standalonePage, whomToAsk } from '#site/pages/standalone-page.ts'
import { sessionsAddress } from '#site/sessions-address.ts'
import { readerWords } from '#site/words/reader-words.ts'
import type { Words } from '#site/words/words.ts'
import type { SigninRecord } from '#store/access/signins.ts'
import type { SigninContext } from '../context.ts'
import type { IssuerFailure } from './issuer-failure.ts'
import { SIGNIN_PATH, SIGNOUT_PATH } from './signin-addresses.ts'

/** A sign-in that a person has begun, and may begin again. */
type Started = { workspace: string; returnPath: string }

/** Asks for the workspace, so that the page reveals none. Its form redirects to an issuer. */
export function workspacePage(
  context: SigninContext,
  request: Request,
  returnPath: string | undefined,
): Promise<Reply> {
  const { access, site } = context
  const address = html`<bdi>${access.publicUrl}/acme/…</bdi>`
  return page(context, request, undefined, 200, ({ signin, manage }) => ({
    title: signin.signIn,
    text: html`<form class="consent" action="${site.at(SIGNIN_PATH)}">
<p><label>${manage.workspace} <input name="workspace" required autocapitalize="none" spellcheck="false" dir="ltr" aria-describedby="Hint"></label></p>
<p class="quiet" id="Hint">${signin.whichWorkspace({ address, name: html`<bdi>acme</bdi>` })}</p>
${returnPath !== undefined && html`<input type="hidden" name="return" value="${returnPath}">\n`}<button class="primary">${signin.signIn}</button>
</form>`,
    policies: { formTargets: signoutTargets(access.publicUrl), referrer: 'same-origin' },
  }))
}

/** Offers the issuers of a workspace. One without a name is called by the workspace. Equal names are numbered. */
export async function choicePage(
  context: SigninContext,
  request: Request,
  signins: readonly SigninRecord[],
  { workspace, returnPath }: Started,
): Promise<Reply> {
  const name = (await context.service.profileOf(workspace))?.name ?? workspace
  const address = startAddress(context, { workspace, returnPath })
  const names = signins.map(({ settings }) => settings.name ?? name)
  const buttons = signins.map(
    ({ id }, at) => html`<li><a href="${address}&amp;with=${id}">${numberedName(names, at)}</a></li>\n`,
  )
  return page(context, request, workspace, 200, ({ signin }) => ({
    title: signin.signIn,
    text: html`<p>${signin.choose}</p>\n<ul class="cards">\n${buttons}</ul>`,
  }))
}

/** A name, with its number among those that are equal: `Acme (2)`. */
function numberedName(names: readonly string[], at: number): Html {
  const name = names[at] ?? ''
  const places = names.flatMap((other, place) => (other === name ? place : []))
  return places.length === 1 ? html`${name}` : html`<bdi>${name}</bdi> (${places.indexOf(at) + 1})`
}

/** Sign-in needs https, except on this machine. */
export function insecurePage(context: SigninContext, request: Request, workspace: string): Promise<Reply> {
  return page(context, request, workspace, 403, ({ signin }) => sentence(signin.insecure, signin.insecureWhy))
}

/** An issuer failed: people learn whether to wait, to ask, or to sign in again. */
export async function failurePage(
  context: SigninContext,
  request: Request,
  started: Started,
  failure: IssuerFailure,
): Promise<Reply> {
  const status = failure === 'unavailable' || failure === 'setup' ? 503 : 400
  const reply = await page(context, request, started.workspace, status, (words, contact) => {
    const { signin } = words
    const more = again(context, words, started)
    if (failure === 'unavailable') return sentence(signin.unavailable, signin.unavailableWhy, more)
    if (failure !== 'setup') return sentence(signin.notCompleted, signin.notCompletedWhy, more)
    return sentence(signin.setup, signin.setupWhy({ contact: whomToAsk(signin, contact) }), more)
  })
  return failure === 'unavailable' ? withHeaders(reply, RETRY_SOON) : reply
}

/** The answer of an issuer belongs to no sign-in of this browser. */
export function expiredPage(context: SigninContext, request: Request, started: Started | undefined): Promise<Reply> {
  return page(context, request, started?.workspace, 400, words =>
    sentence(words.signin.expired, words.signin.expiredWhy, started && again(context, words, started)),
  )
}

/** A person without access learns why, and whom to ask. */
export function refusedPage(
  context: SigninContext,
  request: Request,
  started: Started,
  refused: RefusedPerson,
): Promise<Reply> {
  return page(context, request, started.workspace, 403, (words, contact) => ({
    title: words.signin.noAccess,
    text: html`${refusedText(words, refused, contact)}\n${again(context, words, started)}`,
  }))
}

/** The button that signs out. Its form may redirect to the issuer, and from there to others. */
export function signoutButtonPage(
  context: SigninContext,
  request: Request,
  person: Person,
  returnPath: string | undefined,
): Promise<Reply> {
  const { workspace, name } = person
  const own = sessionsAddress(context.site.at, person)
  return page(context, request, workspace, 200, ({ signin, frame, sessions }) => ({
    title: frame.signOut,
    text: html`<p>${name === undefined ? signin.signedIn : signin.signedInAs({ name: html`<bdi>${name}</bdi>` })}</p>
<form method="post" action="${context.site.at(SIGNOUT_PATH)}">
<input type="hidden" name="workspace" value="${workspace}">
<button class="primary">${frame.signOut}</button>
</form>${own !== undefined && html`\n<p><a href="${own}">${sessions.title}</a></p>`}${returnPath !== undefined && html`\n<p><a href="${returnPath}">${signin.stay}</a></p>`}`,
    policies: { kind: 'signout', formTargets: signoutTargets(context.access.publicUrl), referrer: 'same-origin' },
  }))
}

export function signedOutPage(context: SigninContext, request: Request, workspace: string): Promise<Reply> {
  return page(context, request, workspace, 200, ({ signin, nothing }) => ({
    title: signin.signedOut,
    text: html`<p><a class="primary" href="${context.site.at('/')}">${nothing.publicGuides}</a></p>`,
    policies: { kind: 'signout' },
  }))
}

/** A page of another site tried to sign someone out. */
export function foreignSignoutPage(context: SigninContext, request: Request, workspace: string): Promise<Reply> {
  return page(context, request, workspace, 403, ({ signin }) => sentence(signin.foreign, signin.foreignWhy))
}

type Content = Pick<Parameters<typeof standalonePage>[2], 'title' | 'text' | 'policies'>

/** A page of one paragraph, and perhaps a button. */
function sentence(title: Word, why: Html | Word, more?: Html): Content {
  return { title, text: html`<p>${why}</p>${more && html`\n${more}`}` }
}

async function page(
  context: SigninContext,
  request: Request,
  workspace: string | undefined,
  status: number,
  content: (words: Words, contact: string | undefined) => Content,
): Promise<Reply> {
  const introduction = workspace === undefined ? undefined : await introductionOf(context.site, workspace)
  const words = readerWords(request)
  const { lang } = words
  return standalonePage(context.site.assets, status, { ...content(words, introduction?.contact), lang, introduction })
}

/** The button that begins the sign-in again. */
function again(context: SigninContext, { signin }: Words, started: Started): Html {
  return html`<p><a class="primary" href="${startAddress(context, started)}">${signin.again}</a></p>`
}

function startAddress({ site }: SigninContext, { workspace, returnPath }: Started): string {
  return site.at(`${SIGNIN_PATH}?${new URLSearchParams({ workspace, return: returnPath })}`)
}
