import { RETRY_SOON, refusalReply, refuseUnavailable } from '#brand/contract/refusals.ts'
import { isApiPath } from '#brand/contract/route.ts'
import { hasBearer, type Reply, type Request, withHeaders } from '#platform/exchange/message.ts'
import { html as htmlReply, NO_STORE } from '#platform/exchange/reply.ts'
import type { RefusedPerson } from '#serving/access/session/session-verifier.ts'
import type { Assets } from '../assets.ts'
import { ENGLISH, type Html, html, type Word } from '../html.ts'
import { type Introduction, introductionLinks, ownerMark } from '../introduction.ts'
import { htmlDocument, pageHandling } from '../layout/document.ts'
import { contactLink } from '../layout/layout.ts'
import type { Site } from '../site.ts'
import { readerWords } from '../words/reader-words.ts'
import type { Words } from '../words/words.ts'

/** The content of a page outside any guide, and its policies as in `pageHandling`. */
type StandalonePage = {
  title: Word
  /** The title by default. */
  heading?: Word
  text: Html
  /** The workspace whose theme it has. */
  introduction?: Introduction | undefined
  /** English by default. */
  lang?: string
  policies?: Parameters<typeof pageHandling>[1]
}

/** A page outside any guide, never cached, with a heading and text. */
export function standalonePage(
  assets: Assets,
  status: number,
  { title, heading = title, text, lang = 'en', policies = {}, introduction }: StandalonePage,
): Reply {
  const more = introduction && introductionLinks(introduction)
  const { kind = 'alone' } = policies
  const head = { title: `${title}`, kind, lang, more } as const
  const mark = introduction && ownerMark(introduction)
  const page = htmlDocument(assets, head, standaloneMain(mark, html`<h1>${heading}</h1>`, text))
  return htmlReply(page.text, {
    status,
    handling: pageHandling(assets, policies),
    caching: [...NO_STORE, 'Vary', 'Accept'],
  })
}

/** The main part of a page outside any guide: its title, and next to that its text below the mark of its owner. */
export function standaloneMain(mark: Html | undefined, heading: Html, text: Html): Html {
  return html`<main id="Content" class="front">
${mark && html`<p class="owner">${mark}</p>\n`}${heading}
<div>\n${text}\n</div>
</main>`
}

/** Tells a person which account was refused, why, and whom to ask. */
export function refusedText({ signin }: Words, { account, problem }: RefusedPerson, contact: string | undefined): Html {
  const accountLine =
    account !== undefined && html`<p>${signin.account({ account: html`<bdi>${account}</bdi>` })}</p>\n`
  return html`${accountLine}<p>${signin.refusals[problem]}</p>
<p>${signin.needAccess({ contact: whomToAsk(signin, contact) })}</p>`
}

/** The contact of a workspace, or else the sender of its address. */
export function whomToAsk({ sender }: Words['signin'], contact: string | undefined): Html | Word {
  return contact === undefined ? sender : contactLink(contact)
}

/** The page for a program that cannot be connected, with the reason in English, which its makers can look up. */
export function refusedPage(assets: Assets, request: Request, status: number, reason: string): Reply {
  const { signin, lang } = readerWords(request)
  const language = lang !== ENGLISH.lang && html` lang="${ENGLISH.lang}" dir="${ENGLISH.dir}"`
  const text = html`<p>${signin.programWhy}</p>
<p><code${language}>${reason}</code></p>`
  const page = standalonePage(assets, status, { title: signin.programTitle, heading: signin.program, text, lang })
  return withHeaders(page, ['X-Frame-Options', 'DENY', 'X-Robots-Tag', 'noindex'])
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

/** `/acme/guide/logo` or `/acme/guide/-/colors`, but not `/acme/guide/-/files/…` or an address with a dot. */
const PAGE_PATH = /^\/[^/.]+\/[^/.]+(?!\/-\/(?:draft\/-\/)?files\/)(?:\/[^/.]+)*$/

/** The reply while a dependency of the service is unavailable: a page for a browser, else the error of the API. */
export function unavailable(request: Request, { service, assets }: Site): Reply {
  const refusal = refusalReply(refuseUnavailable(), service.access.publicUrl)
  if (isApiPath(request.path) || !isForPeople(request)) return refusal
  const text = html`<p>Its content is temporarily unavailable. Reload the page in a few seconds.</p>`
  const page = { title: 'Temporarily unavailable', heading: 'This page is temporarily unavailable', text }
  return withHeaders(standalonePage(assets, refusal.status, page), RETRY_SOON)
}
