import type { HeaderList, Reply, Request } from '../../exchange/message.ts'
import { html as htmlReply, NO_STORE } from '../../exchange/reply.ts'
import type { Publication } from '../../serving/publications/publications.ts'
import type { Assets } from '../assets.ts'
import { type Html, html, type Word } from '../html.ts'
import { type Head, htmlDocument, pageHandling } from '../layout/document.ts'
import { fixedScheme, iconLink, type ThemeSource, themeLinks, themeLogo } from '../layout/theme-links.ts'
import { themeOf } from '../theme/guide-theme.ts'
import { readerWords } from '../words/reader-words.ts'
import { type Words, wordsFor } from '../words/words.ts'

/** A page on which a person decides about a program. */
export type ConsentPage = {
  request: Request
  /** The guide that the person may see, whose theme and language the page has; absent: none. */
  guide?: ThemeSource & { publication: Publication }
  content: (words: Words) => { title: Word; main: Html }
  /** The address to which the program wants the browser to return, to which the form may lead. */
  returnAddress: string
  status?: number
}

/** Makes a page that no other site can frame, and that no cache keeps. */
export async function consentPage(
  assets: Assets,
  { request, guide, content, returnAddress, status }: ConsentPage,
): Promise<Reply> {
  const words = guide ? wordsFor(await guide.publication.content.lang()) : readerWords(request)
  const { title, main } = content(words)
  const { logo, ...head } = guide ? await themeOfGuide(guide) : {}
  const body = html`<main id="Content" class="alone">\n${logo && html`<p>${logo}</p>\n`}${main}\n</main>`
  const page = htmlDocument(assets, { title: `${title}`, lang: words.lang, ...head }, body)
  return htmlReply(page.text, {
    ...(status !== undefined && { status }),
    handling: pageHandling(assets, { formTargets: `'self' ${formTarget(returnAddress)}` }),
    caching: NO_STORE,
    headers: PRIVATE,
  })
}

const PRIVATE: HeaderList = ['X-Frame-Options', 'DENY', 'X-Robots-Tag', 'noindex']

async function themeOfGuide(
  guide: ThemeSource,
): Promise<Pick<Head, 'scheme' | 'icon' | 'more'> & { logo: Html | undefined }> {
  const theme = await themeOf(guide.publication)
  return {
    scheme: fixedScheme(theme),
    icon: iconLink(guide, theme),
    more: themeLinks(guide, theme),
    logo: themeLogo(guide, theme),
  }
}

/**
 * The source expression for the address to which a form leads, because browsers also check redirects after a form (CSP
 * 3 §6.4.2). An origin that is not plain, such as an IPv6 address, is allowed by its scheme.
 */
function formTarget(address: string): string {
  const { origin, protocol } = new URL(address)
  return /^https?:\/\/[a-z0-9.-]+(?::\d+)?$/.test(origin) ? origin : protocol
}
