import type { Reply } from '../../exchange/message.ts'
import { html as htmlReply, NO_STORE } from '../../exchange/reply.ts'
import type { Assets } from '../assets.ts'
import { type Html, html } from '../html.ts'
import { htmlDocument, pageHandling } from '../layout/document.ts'

/** A page outside any guide, never cached, with a heading and text. */
export function standalonePage(assets: Assets, status: number, { title, text }: { title: string; text: Html }): Reply {
  const body = html`<main id="Content" class="alone">\n${text}\n</main>`
  const page = htmlDocument(assets, { title }, body)
  return htmlReply(page.text, { status, handling: pageHandling(assets), caching: [...NO_STORE, 'Vary', 'Accept'] })
}
