import type { Person } from '../../access/session/session-verifier.ts'
import { offersSignin } from '../../access/session/signins.ts'
import { andThen, type MaybePromise } from '../../base/promise.ts'
import { refusalReply, refuseNotFound } from '../../contract/refusals.ts'
import type { Reply, Request } from '../../exchange/message.ts'
import { decodeSegments } from '../../exchange/target.ts'
import { type Html, html } from '../html.ts'
import type { SiteContext } from '../site-context.ts'
import { readerWords } from '../words/reader-words.ts'
import type { Words } from '../words/words.ts'
import { isForPeople, refusedText, standalonePage } from './standalone-page.ts'

type NotFoundContext = Pick<
  SiteContext,
  'assets' | 'publicUrl' | 'base' | 'signins' | 'sessions' | 'refusedPerson' | 'contactOf'
>

/**
 * The reply if nothing exists at an address, or nothing that this request may see: a page for a browser, else the error
 * of the API. It depends only on the request and on how people sign in to the workspace, so that it does not reveal
 * whether the address exists. A person whom the rules refuse learns why.
 */
export function notFound(request: Request, context: NotFoundContext): MaybePromise<Reply> {
  const { publicUrl } = context
  const refusal = refusalReply(refuseNotFound(request.path, publicUrl, ['Vary', 'Accept']), publicUrl)
  if (!isForPeople(request)) return refusal
  const [workspace = ''] = decodeSegments(request.path) ?? []
  if (request.assertions) return notFoundBehindProxy(request, context, workspace, refusal.status)
  return notFoundForPerson(request, context, workspace, refusal.status)
}

async function notFoundBehindProxy(request: Request, context: NotFoundContext, workspace: string, status: number) {
  const refused = await context.refusedPerson(request, workspace)
  if (!refused) return notFoundForPerson(request, context, workspace, status)
  const words = readerWords(request)
  const title = words.signin.noAccess
  const text = html`<h1>${title}</h1>\n${refusedText(words, refused, await context.contactOf(workspace))}`
  return standalonePage(context.assets, status, { title, text, lang: words.lang })
}

function notFoundForPerson(
  request: Request,
  context: NotFoundContext,
  workspace: string,
  status: number,
): MaybePromise<Reply> {
  const { signins, sessions } = context
  const words = readerWords(request)
  if (!offersSignin(signins, workspace)) return notFoundPage(context, words, status, undefined)
  return andThen(sessions.person(request, workspace), person =>
    notFoundPage(context, words, status, signinPart(context, words, request, { workspace, person })),
  )
}

function notFoundPage(
  { assets, base }: NotFoundContext,
  { nothing, lang }: Words,
  status: number,
  signin: Html | undefined,
): Reply {
  const text = html`<h1>${nothing.here}</h1>
<p>${nothing.why}</p>
<p>${nothing.private}</p>
${signin}<p><a href="${base}/">${nothing.publicGuides}</a></p>`
  return standalonePage(assets, status, { title: nothing.title, text, lang })
}

/** The link to sign in, and to return to this address; for a person who is signed in, the link to sign out. */
function signinPart(
  { base }: NotFoundContext,
  { nothing }: Words,
  { path, query }: Request,
  { workspace, person }: { workspace: string; person: Person | undefined },
): Html {
  const address = (name: string) =>
    `${base}/-/${name}?${new URLSearchParams({ workspace, return: `${base}${path}${query && `?${query}`}` })}`
  if (!person) return html`<p>${nothing.account({ link: address('signin') })}</p>\n`
  const link = address('signout')
  const { name } = person
  const text =
    name === undefined ? nothing.partly({ link }) : nothing.partlyAs({ name: html`<bdi>${name}</bdi>`, link })
  return html`<p>${text}</p>\n`
}

/** The start of the cache keys of `missingPage` within a guide. They are unique, since no path has an empty segment. */
export const MISSING = '/'
