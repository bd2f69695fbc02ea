import type { Reply } from '../../exchange/message.ts'
import { html as htmlReply, NO_STORE } from '../../exchange/reply.ts'
import type { Assets } from '../assets.ts'
import { type Html, html, type Word } from '../html.ts'
import { htmlDocument, pageHandling } from '../layout/document.ts'

/** The content of a page outside any guide, and its policies as in `pageHandling`. */
export type StandalonePage = {
  title: Word
  text: Html
  /** English by default. */
  lang?: string
  policies?: Parameters<typeof pageHandling>[1]
}

/** A page outside any guide, never cached, with a heading and text. */
export function standalonePage(
  assets: Assets,
  status: number,
  { title, text, lang = 'en', policies }: StandalonePage,
): Reply {
  const body = html`<main id="Content" class="alone">\n${text}\n</main>`
  const page = htmlDocument(assets, { title: `${title}`, lang }, body)
  return htmlReply(page.text, {
    status,
    handling: pageHandling(assets, policies),
    caching: [...NO_STORE, 'Vary', 'Accept'],
  })
}
