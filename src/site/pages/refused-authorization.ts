import { type Reply, type Request, withHeaders } from '../../exchange/message.ts'
import type { Assets } from '../assets.ts'
import { ENGLISH, html } from '../html.ts'
import { readerWords } from '../words/reader-words.ts'
import { standalonePage } from './standalone-page.ts'

/**
 * The page for a program that cannot be connected, with the reason in English, which the makers of the program can look
 * up.
 */
export function refusedPage(assets: Assets, request: Request, status: number, reason: string): Reply {
  const { signin, lang } = readerWords(request)
  const language = lang !== ENGLISH.lang && html` lang="${ENGLISH.lang}" dir="${ENGLISH.dir}"`
  const text = html`<h1>${signin.program}</h1>
<p>${signin.programWhy}</p>
<p><code${language}>${reason}</code></p>`
  const page = standalonePage(assets, status, { title: signin.programTitle, text, lang })
  return withHeaders(page, ['X-Frame-Options', 'DENY', 'X-Robots-Tag', 'noindex'])
}
