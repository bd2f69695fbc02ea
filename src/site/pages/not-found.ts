import { refusalReply, refuseNotFound } from '../../contract/refusals.ts'
import { hasBearer, type Reply, type Request } from '../../exchange/message.ts'
import type { Representation } from '../../serving/replies/response-cache.ts'
import type { Assets } from '../assets.ts'
import { type Guide, pathBelow } from '../guide/guide.ts'
import { html } from '../html.ts'
import { guidePage } from '../layout/layout.ts'
import { standalonePage } from './standalone-page.ts'

/** The parts that the reply to an unknown address needs. */
export type NotFoundParts = {
  assets: Assets
  /** The service's own address, without a slash at its end. */
  publicUrl: string
  /** The path of the public URL. */
  base: string
}

/**
 * The reply if nothing exists at an address, or nothing that this request may see: a page for a browser, else the error
 * of the API. It depends only on the request, so that it does not reveal whether the address exists.
 */
export function notFound(request: Request, { assets, publicUrl, base }: NotFoundParts): Reply {
  const refusal = refusalReply(refuseNotFound(request.path, publicUrl, ['Vary', 'Accept']), publicUrl)
  if (!isForPeople(request)) return refusal
  const text = html`<h1>There is nothing here</h1>
<p>The address may be mistyped, or the page was moved or is no longer published.</p>
<p>If this is a private guide, open it with the link that you were given. If the link no longer works, ask for a new one where you got it.</p>
<p><a href="${base}/">Guides that everyone may read</a></p>`
  return standalonePage(assets, refusal.status, { title: 'Nothing here', text })
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
