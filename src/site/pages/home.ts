import type { MaybePromise } from '../../base/promise.ts'
import { nextTurn } from '../../base/steps.ts'
import type { Reply, Request } from '../../exchange/message.ts'
import type { Addresses } from '../../serving/addresses.ts'
import type { Pointers } from '../../serving/pointers.ts'
import { FOR_EVERYONE } from '../../serving/publications.ts'
import type { Representation, ResponseCache } from '../../serving/response-cache.ts'
import type { Assets } from '../assets.ts'
import { type Html, html } from '../html.ts'
import { htmlDocument, pageType } from '../layout/document.ts'
import { projectCards, sheetLink } from './workspace-page.ts'

/** What the page at `/` is made from, and kept in; `base` is the path of the public URL. */
type HomeParts = {
  pointers: Pointers
  assets: Assets
  paths: Addresses
  prepared: ResponseCache
  base: string
}

/** The page at `/`: the guides that everyone may see, by workspace. It is made once for each change of the store. */
export function homeReply(parts: HomeParts, request: Request): MaybePromise<Reply | undefined> {
  return parts.prepared.reply(`/@${parts.pointers.version()}`, request, () => homePage(parts))
}

async function homePage({ pointers, assets, paths, base }: HomeParts): Promise<Representation> {
  const shown: Html[] = []
  for (const { id, name, open } of pointers.workspaces()) {
    if (open.length === 0) continue
    shown.push(html`<h2><a href="${base}/${id}">${name}</a></h2>\n${await projectCards(open, paths)}`)
    await nextTurn()
  }
  const body = html`<main id="Content" class="alone">
<h1>Brand guidelines</h1>
<p class="lead">For people here, for programs and agents through <a href="${base}/docs">the API</a>.</p>
${shown.length === 0 && html`<p>No guide is open to everyone. A private one opens with the link that you were given.</p>`}
${shown}
</main>`
  const bytes = htmlDocument(assets, { title: 'Brand guidelines', more: sheetLink(assets) }, body)
  return { bytes, type: pageType(assets), about: FOR_EVERYONE }
}
