import type { Page } from '#brand/page.ts'
import { isTypoOf } from '#delivery/search/words.ts'
import { withoutLastSlash } from '#platform/base/text.ts'
import type { Representation } from '#serving/replies/response-cache.ts'
import { type Guide, pathBelow } from '../guide/guide.ts'
import { html } from '../html.ts'
import { libraryHead } from '../layout/head.ts'
import { guidePage } from '../layout/layout.ts'
import { firstPages, pageCards } from './overview.ts'

/**
 * The page for an unknown address in a guide that this request may see, with navigation, search, and the closest pages;
 * without any, the first pages of the guide. Browsers tell the address for signing in where to return.
 */
export async function missingPage(guide: Guide, closest: readonly Page[], signIn: string): Promise<Representation> {
  const { pages, search, signin } = guide.words
  const branches =
    closest.length === 0 ? await firstPages(guide) : closest.map(page => ({ ...page, page, children: [] }))
  const main = html`<article class="search">
<p>${pages.missingWhy}</p>
<form role="search" aria-label="${search.again}" action="${pathBelow(guide, 'search')}">
<input type="search" name="q" aria-label="${search.searchGuide}" maxlength="200" autocomplete="off">
<button>${search.search}</button>
</form>
<p><a href="${pathBelow(guide, 'pages')}">${pages.all}</a></p>${signIn && html`\n<p><a href="${signIn}">${signin.signIn}</a></p>`}
${closest.length > 0 && html`<h2>${pages.closest}</h2>\n`}</article>
${await pageCards(guide, branches)}`
  const about = { title: `${pages.missingTitle}`, kind: 'plain', referrer: 'same-origin' } as const
  return guidePage(guide, { ...about, below: undefined, head: libraryHead(guide, pages.missing), main })
}

/** The pages whose id or title differs by at most one letter from the end of an unknown address. */
export function closestPages(pages: Iterable<Page>, below: string): Page[] {
  const written = withoutLastSlash(below.toLowerCase())
  if (written.length < 2) return []
  const title = written.replaceAll('-', ' ')
  return Array.from(pages)
    .filter(
      ({ id, name }) => isTypoOf(written, id, false) || isTypoOf(title, name.toLowerCase().replaceAll('-', ' '), false),
    )
    .slice(0, MAX_CLOSEST)
}

const MAX_CLOSEST = 4
