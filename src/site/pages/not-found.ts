import { offersSignin, type Signins } from '../../access/session/open-signins.ts'
import type { Person, Sessions } from '../../access/session/session-verifier.ts'
import { andThen, type MaybePromise } from '../../base/promise.ts'
import { refusalReply, refuseNotFound } from '../../contract/refusals.ts'
import { hasBearer, type Reply, type Request } from '../../exchange/message.ts'
import { decodeSegments } from '../../exchange/target.ts'
import type { Representation } from '../../serving/replies/response-cache.ts'
import type { Assets } from '../assets.ts'
import { type Guide, pathBelow } from '../guide/guide.ts'
import { type Html, html } from '../html.ts'
import { guidePage } from '../layout/layout.ts'
import { type RefusedPerson, refusedText } from './refused-person.ts'
import { standalonePage } from './standalone-page.ts'

/** The parts that the reply to an unknown address needs. */
export type NotFoundParts = {
  assets: Assets
  /** The service's own address, without a slash at its end. */
  publicUrl: string
  /** The path of the public URL. */
  base: string
  signins: Pick<Signins, 'of'>
  sessions: Pick<Sessions, 'person'>
  /** The person whom a proxy names in a request, if the rules of the workspace refuse them. */
  refusedPerson: (request: Request, workspace: string) => Promise<RefusedPerson | undefined>
  /** The contact of a workspace; undefined if it has none. */
  contactOf: (workspace: string) => Promise<string | undefined>
}

/**
 * The reply if nothing exists at an address, or nothing that this request may see: a page for a browser, else the error
 * of the API. It depends only on the request and on how people sign in to the workspace, so that it does not reveal
 * whether the address exists. A person whom the rules refuse learns why.
 */
export function notFound(request: Request, parts: NotFoundParts): MaybePromise<Reply> {
  const { publicUrl } = parts
  const refusal = refusalReply(refuseNotFound(request.path, publicUrl, ['Vary', 'Accept']), publicUrl)
  if (!isForPeople(request)) return refusal
  const [workspace = ''] = decodeSegments(request.path) ?? []
  if (request.assertions) return notFoundBehindProxy(request, parts, workspace, refusal.status)
  return notFoundForPerson(request, parts, workspace, refusal.status)
}

async function notFoundBehindProxy(request: Request, parts: NotFoundParts, workspace: string, status: number) {
  const refused = await parts.refusedPerson(request, workspace)
  if (!refused) return notFoundForPerson(request, parts, workspace, status)
  const title = 'You have no access'
  const text = html`<h1>${title}</h1>\n${refusedText(refused, await parts.contactOf(workspace))}`
  return standalonePage(parts.assets, status, { title, text })
}

function notFoundForPerson(
  request: Request,
  parts: NotFoundParts,
  workspace: string,
  status: number,
): MaybePromise<Reply> {
  const { signins, sessions } = parts
  if (!offersSignin(signins, workspace)) return notFoundPage(parts, status, undefined)
  return andThen(sessions.person(request, workspace), person =>
    notFoundPage(parts, status, signinPart(parts, request, workspace, person)),
  )
}

function notFoundPage({ assets, base }: NotFoundParts, status: number, signin: Html | undefined): Reply {
  const text = html`<h1>There is nothing here</h1>
<p>The address may be mistyped, or the page was moved or is no longer published.</p>
<p>If this is a private guide, open it with the link that you were given. If the link no longer works, ask for a new one where you got it.</p>
${signin}<p><a href="${base}/">Guides that everyone may read</a></p>`
  return standalonePage(assets, status, { title: 'Nothing here', text })
}

/** The link to sign in, and to return to this address; for a person who is signed in, the link to sign out. */
function signinPart({ base }: NotFoundParts, { path, query }: Request, workspace: string, person: Person | undefined) {
  const address = (name: string) =>
    `${base}/-/${name}?${new URLSearchParams({ workspace, return: `${base}${path}${query && `?${query}`}` })}`
  return person
    ? html`<p>You are signed in${person.name !== undefined && html` as <bdi>${person.name}</bdi>`}, and this account may not see everything. <a href="${address('signout')}">Sign out</a></p>
`
    : html`<p>If you have an account: <a href="${address('signin')}">Sign in</a></p>
`
}

/** The cache key of `missingPage` within a guide. It is unique, since no path has an empty segment. */
export const MISSING = '/'

/** The page for an unknown address in a guide that this request may see, with navigation and search. */
export function missingPage(guide: Guide): Promise<Representation> {
  const { pages } = guide.words
  const main = html`<article class="prose">
<h1>${pages.missing}</h1>
<p>${pages.missingWhy}</p>
<p><a href="${pathBelow(guide, 'pages')}">${pages.all}</a></p>
</article>`
  return guidePage(guide, { title: `${pages.missingTitle}`, below: undefined, main })
}

/**
 * Whether to reply with a page: to a browser, and to a client that accepts anything and asks for the address of a page.
 * Addresses with a dot, and file links, are for programs, and so is every reply to a bearer token.
 */
export function isForPeople({ headers, path }: Request): boolean {
  if (hasBearer({ headers })) return false
  const accept = headers.accept ?? '*/*'
  if (/\btext\/html\b/i.test(accept)) return true
  return accept.includes('*/*') && !/\bjson\b/i.test(accept) && PAGE_PATH.test(path)
}

const PAGE_PATH = /^\/[^/.]+\/[^/.]+(?!\/-\/(?:draft\/-\/)?files\/)(?:\/[^/.]+)*$/
