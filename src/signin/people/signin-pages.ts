import type { Person } from '../../access/session/session-verifier.ts'
import { RETRY_SOON } from '../../contract/refusals.ts'
import { type Reply, withHeaders } from '../../exchange/message.ts'
import { type Html, html } from '../../site/html.ts'
import { type RefusedPerson, refusedText, whomToAsk } from '../../site/pages/refused-person.ts'
import { standalonePage } from '../../site/pages/standalone-page.ts'
import type { SigninRecord } from '../../store/access/signins.ts'
import type { SigninContext } from '../context.ts'
import type { IssuerFailure } from './issuer-failure.ts'
import { SIGNIN_PATH, SIGNOUT_PATH } from './signin-addresses.ts'

/** A workspace, and the address to return to. */
type Started = { workspace: string; returnPath: string }

/** Offers the issuers of a workspace. */
export function choicePage(context: SigninContext, signins: readonly SigninRecord[], returnPath: string): Reply {
  const buttons = signins.map(
    ({ id, workspace, issuer, settings }) =>
      html`<li><a href="${startAddress(context, { workspace, returnPath })}&amp;with=${id}">${settings.name ?? issuer.replace(/^https?:\/\/|\/$/g, '')}</a></li>\n`,
  )
  return page(
    context,
    200,
    'Sign in',
    html`<p>Choose where you have an account.</p>\n<ul class="cards">\n${buttons}</ul>`,
  )
}

/** Sign-in needs https, except on this machine. */
export function insecurePage(context: SigninContext): Reply {
  return page(
    context,
    403,
    'Sign-in needs https',
    html`<p>This address is not encrypted, so that anyone on the network could take over your session. Ask the operator of this service for its https address.</p>`,
  )
}

/** An issuer failed: people learn whether to wait, to ask, or to sign in again. */
export async function failurePage(context: SigninContext, started: Started, failure: IssuerFailure): Promise<Reply> {
  if (failure === 'unavailable') return unavailablePage(context, started)
  if (failure !== 'setup') return notCompletedPage(context, started)
  const ask = whomToAsk(await context.contactOf(started.workspace))
  const text = html`<p>The service that knows your account does not accept the settings of this one. You cannot correct that yourself: ask ${ask}.</p>
${again(context, started)}`
  return page(context, 503, 'Sign-in is set up wrongly', text)
}

/** The issuer does not answer. */
function unavailablePage(context: SigninContext, started: Started): Reply {
  const text = html`<p>The service that knows your account does not answer. Try again in a few minutes. If you are signed in elsewhere, you remain signed in there.</p>
${again(context, started)}`
  return withHeaders(page(context, 503, 'Sign-in is not available now', text), RETRY_SOON)
}

/** The answer of an issuer belongs to no sign-in of this browser. */
export function expiredPage(context: SigninContext, started: Started | undefined): Reply {
  const text = html`<p>It took longer than ten minutes, it was already completed, or it began in another browser or at another address of this service.</p>
${started && again(context, started)}`
  return page(context, 400, 'This sign-in has expired', text)
}

/** The issuer refused, or its answer is not valid. */
function notCompletedPage(context: SigninContext, started: Started): Reply {
  const text = html`<p>You cancelled it, or the service that knows your account did not confirm it.</p>
${again(context, started)}`
  return page(context, 400, 'You are not signed in', text)
}

/** A person without access learns why, and whom to ask. */
export function refusedPage(
  context: SigninContext,
  started: Started,
  refused: RefusedPerson,
  contact: string | undefined,
): Reply {
  return page(context, 403, 'You have no access', html`${refusedText(refused, contact)}\n${again(context, started)}`)
}

/** The button that signs out. Its form may redirect to the issuer, and from there to others. */
export function signoutButtonPage(
  context: SigninContext,
  { workspace, name }: Person,
  returnPath: string | undefined,
): Reply {
  const isEncrypted = context.publicUrl.startsWith('https:')
  const text = html`<h1>Sign out</h1>
<p>You are signed in${name !== undefined && html` as <bdi>${name}</bdi>`}.</p>
<form method="post" action="${context.base}${SIGNOUT_PATH}">
<input type="hidden" name="workspace" value="${workspace}">
<button>Sign out</button>
</form>${returnPath !== undefined && html`\n<p><a href="${returnPath}">Stay signed in</a></p>`}`
  const formTargets = isEncrypted ? "'self' https:" : "'self' https: http:"
  return standalonePage(context.assets, 200, {
    title: 'Sign out',
    text,
    policies: { formTargets, referrer: 'same-origin' },
  })
}

export function signedOutPage(context: SigninContext): Reply {
  return page(
    context,
    200,
    'You are signed out',
    html`<p><a href="${context.base}/">Guides that everyone may read</a></p>`,
  )
}

/** A page of another site tried to sign someone out. */
export function foreignSignoutPage(context: SigninContext): Reply {
  const text = html`<p>The request came from another site. To sign out, use the button of this one.</p>`
  return page(context, 403, 'You are still signed in', text)
}

function page({ assets }: SigninContext, status: number, title: string, text: Html): Reply {
  return standalonePage(assets, status, { title, text: html`<h1>${title}</h1>\n${text}` })
}

function again(context: SigninContext, started: Started): Html {
  return html`<p><a href="${startAddress(context, started)}">Sign in again</a></p>`
}

/** The address that begins a sign-in, below the host. */
function startAddress({ base }: SigninContext, { workspace, returnPath }: Started): string {
  return `${base}${SIGNIN_PATH}?${new URLSearchParams({ workspace, return: returnPath })}`
}
