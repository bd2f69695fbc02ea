import type { Reply } from '../exchange/message.ts'
import type { Addresses } from '../serving/addresses.ts'
import type { Pointers } from '../serving/pointers.ts'
import type { Assets } from './assets.ts'
import { htmlDocument, pageType } from './document.ts'
import { html } from './html.ts'
import { projectCards, sheetLink } from './workspace-page.ts'

/** What the page at `/` is made from; `base` is the path of the public URL. */
export type HomeParts = { pointers: Pointers; assets: Assets; paths: Addresses; base: string }

/** The page at `/`: the guides that everyone may see, by workspace. */
export function homePage({ pointers, assets, paths, base }: HomeParts): Reply {
  const shown = [...pointers.workspaces()].filter(({ open }) => open.length > 0)
  const body = html`<main id="Content" class="alone">
<h1>Brand guidelines</h1>
<p class="lead">For people here, for programs and agents through <a href="${base}/docs">the API</a>.</p>
${shown.length === 0 && html`<p>No guide is open to everyone. A private one opens with the link that you were given.</p>`}
${shown.map(({ id, name, open }) => html`<h2><a href="${base}/${id}">${name}</a></h2>\n${projectCards(open, paths)}`)}
</main>`
  const headers = [...pageType(assets), 'Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff']
  return {
    status: 200,
    headers,
    body: htmlDocument(assets, { title: 'Brand guidelines', more: sheetLink(assets) }, body),
  }
}
