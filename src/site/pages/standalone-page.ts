import type { Reply } from '../../exchange/message.ts'
import { html as htmlReply, NO_STORE } from '../../exchange/reply.ts'
import type { Assets } from '../assets.ts'
import { type Html, html } from '../html.ts'
import { htmlDocument, pageHandling } from '../layout/document.ts'

/** A page that belongs to no guide, and that nobody caches: a heading, and what it has to say. */
export function standalonePage(assets: Assets, status: number, { title, text }: { title: string; text: Html }): Reply {
  const body = html`<main id="Content" class="alone">\n${text}\n</main>`
  const page = htmlDocument(assets, { title }, body)
  return htmlReply(page.text, { status, handling: pageHandling(assets), caching: [...NO_STORE, 'Vary', 'Accept'] })
}
