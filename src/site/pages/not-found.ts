import { refusalReply, refuse } from '../../contract/refusals.ts'
import { type Reply, type Request, requestHeader } from '../../exchange/message.ts'
import type { Representation } from '../../serving/response-cache.ts'
import type { Assets } from '../assets.ts'
import { type Guide, pathBelow } from '../guide/guide.ts'
import { html } from '../html.ts'
import { htmlDocument, pageType } from '../layout/document.ts'
import { guidePage } from '../layout/layout.ts'

/** What is told where there is nothing; `base` is the path of the public URL. */
type NotFoundParts = { assets: Assets; publicUrl: string; base: string }

/**
 * The answer where there is nothing, or nothing that this request may see: a page to a browser, to others the error of
 * the API. It depends on the request alone, so that it gives nothing away.
 */
export function notFound(request: Request, { assets, publicUrl, base }: NotFoundParts): Reply {
  const refusal = refusalReply(refuse('not-found', ['Vary', 'Accept']), publicUrl)
  if (!isForPeople(request)) return refusal
  const body = html`<main id="Content" class="alone">
<h1>There is nothing here</h1>
<p>The address may be mistyped, or what stood here was moved or is not published any more.</p>
<p>If this is a private guide, open it with the link that you were given: it lets this browser in. When the link no longer works, ask whoever gave it to you for a new one.</p>
<p><a href="${base}/">Guides that everyone may read</a></p>
</main>`
  const headers = [
    ...[...pageType(assets), 'Cache-Control', 'no-store', 'Vary', 'Accept'],
    ...['X-Content-Type-Options', 'nosniff'],
  ]
  return { status: refusal.status, headers, body: htmlDocument(assets, { title: 'Nothing here' }, body) }
}

/** Where the page of a guide for what is not there has its place: no request leads to a path with an empty segment. */
export const MISSING = '/'

/** The same within a guide that this request may see: with its navigation and search. */
export function missingPage(guide: Guide): Promise<Representation> {
  const main = html`<article class="prose">
<h1>This page is not here</h1>
<p>It may have been moved or removed since it was linked to. The navigation shows what there is; the search looks through all of it.</p>
<p><a href="${pathBelow(guide, 'pages')}">All pages</a></p>
</article>`
  return guidePage(guide, { title: 'Not here', below: undefined, main })
}

/**
 * Whether the answer is for people: a browser asks, or whoever takes anything asks for an address that pages have. Those
 * with a dot, and file links, are for programs.
 */
export function isForPeople({ headers, path }: Request): boolean {
  const accept = requestHeader(headers, 'accept') ?? '*/*'
  if (/\btext\/html\b/i.test(accept)) return true
  return accept.includes('*/*') && !/\bjson\b/i.test(accept) && PAGE_PATH.test(path)
}

const PAGE_PATH = /^\/[^/.]+\/[^/.]+(?!\/-\/files\/)(?:\/[^/.]+)*$/
