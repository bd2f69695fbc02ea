import type { Scope } from '#brand/contract/operations.ts'
import type { HeaderList, Reply, Request } from '#platform/exchange/message.ts'
import { html as htmlReply, NO_STORE } from '#platform/exchange/reply.ts'
import type { Assets } from './assets.ts'
import type { Guide } from './guide/guide.ts'
import { type Html, html, type Word } from './html.ts'
import { type Introduction, introductionLinks, ownerMark } from './introduction.ts'
import { htmlDocument, pageHandling, themedParts } from './layout/document.ts'
import { standaloneMain } from './pages/standalone-page.ts'
import { readerWords } from './words/reader-words.ts'
import { type Words, wordsFor } from './words/words.ts'

/** A program as its page names it; `host` has its metadata, and is absent if the operator registered it. */
type ShownProgram = { name: string; host?: string }

/** The title and the content of a page. */
type View = { title: Word; main: Html }

/** The page that asks which content a program may read, or for access to it. */
type AccessView = {
  program: ShownProgram
  /** Shows that the form comes from a page of this service. */
  proof: string
  /** Whether it is known which workspace or guide the program may read; otherwise the form asks for it. */
  hasPlace: boolean
  /** The address that signs people in; absent if the workspace offers none. */
  signIn?: string
  /** Whether the last entry opened nothing. */
  isWrong: boolean
}

export function accessView(
  { program, proof, hasPlace, signIn, isWrong }: AccessView,
  { consent, signin }: Words,
): View {
  const waysIn = signIn === undefined ? consent.needsLink : consent.needsAccess
  const question = hasPlace ? waysIn : consent.which
  return {
    title: consent.connect({ program: titleOf(program) }),
    main: html`<p>${describeProgram(program, consent)}</p>
${isWrong && html`<p role="alert"><strong>${consent.wrong}</strong></p>\n`}<p>${question}</p>
${signIn !== undefined && html`<p><a class="primary" href="${signIn}">${signin.signIn}</a></p>\n`}<form class="consent" method="post">
<input type="hidden" name="proof" value="${proof}">
<label>${hasPlace ? consent.link : consent.place} <input name="place" maxlength="500" autocomplete="off" spellcheck="false"></label>
<p><button class="primary" name="action" value="open">${consent.next}</button>
<button name="action" value="cancel">${consent.cancel}</button></p>
</form>`,
  }
}

/** The page that asks a person to allow a program to read. */
type AllowView = {
  program: ShownProgram
  proof: string
  /** The name of the guide; absent for a workspace. */
  guide?: string
  workspace: string
  /** The names of the projects, if the person may not see all of the workspace. */
  projects?: readonly string[]
  scopes: readonly Scope[]
  consenter: { isPerson: boolean; name?: string | undefined }
  expiresAt: Date
  /** The address that signs the person in again, if the connection may then last longer. */
  signInAgain?: string
  returnAddress: string
}

export function allowView(view: AllowView, words: Words): View {
  const { consent } = words
  const { program, proof, guide, workspace, projects, scopes, consenter, expiresAt, signInAgain, returnAddress } = view
  const content = guide ?? consent.workspace({ name: workspace })
  const title = consent.question({ program: titleOf(program), content: `${content}` })
  const rows: (readonly [Word, Html])[] = [
    [consent.program, describeProgram(program, consent)],
    ...(projects ? [[consent.projects, html`<bdi>${projects.join(', ')}</bdi>`] as const] : []),
    [consent.reads, html`${scopes.map((scope, at) => html`${at > 0 && ', '}${consent.scopeNames[scope]}`)}`],
    [consent.you, html`<bdi>${consenterName(consenter, consent)}</bdi>`],
    [
      consent.until,
      html`${words.day(expiresAt)}${signInAgain !== undefined && html` – <a href="${signInAgain}">${consent.signInAgain}</a>`}`,
    ],
    [consent.returns, html`<bdi>${returnPlace(returnAddress)}</bdi>`],
  ]
  return {
    title,
    main: html`<dl class="facts">
${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>\n`)}</dl>
<p>${consent.changesNothing}</p>
<form class="consent" method="post">
<input type="hidden" name="proof" value="${proof}">
<p><button class="primary" name="action" value="allow">${consent.allow}</button>
<button name="action" value="cancel">${consent.cancel}</button></p>
</form>`,
  }
}

/** The name with the host, because anyone may choose any name. */
function titleOf({ name, host }: ShownProgram): string {
  return host === undefined || host === name ? name : `${name} (${host})`
}

function consenterName({ isPerson, name }: AllowView['consenter'], consent: Words['consent']): Word {
  if (isPerson) return name ?? '–'
  return name === undefined ? consent.linkHolder : consent.linkHolderOf({ name })
}

function describeProgram({ name, host }: ShownProgram, consent: Words['consent']): Html {
  return html`<bdi>${name}</bdi> – ${host === undefined ? consent.registered : consent.ofHost({ host })}`
}

/** The host to which the browser returns, or the scheme of a program on this computer. */
function returnPlace(address: string): string {
  const { protocol, host } = new URL(address)
  return protocol === 'https:' || protocol === 'http:' ? host : protocol
}

type ConsentPage = {
  request: Request
  /** The workspace, whose theme the page has. */
  introduction?: Introduction
  /** The guide that the person may see, whose language the page has, and its theme if the workspace has none. */
  guide?: Guide
  content: (words: Words) => View
  /** The address to which the program wants the browser to return, to which the form may lead. */
  returnAddress: string
  status?: number
}

/** Makes a page that no other site can frame, and that no cache keeps. */
export async function consentPage(
  assets: Assets,
  { request, guide, introduction, content, returnAddress, status }: ConsentPage,
): Promise<Reply> {
  const words = guide ? wordsFor(await guide.publication.content.lang()) : readerWords(request)
  const { title, main } = content(words)
  const heading = html`<h1 dir="auto">${title}</h1>`
  const { logo, links, ...themed } = guide && !introduction?.theme ? await themedParts(guide) : {}
  const more = links ?? (introduction && introductionLinks(introduction))
  const body = standaloneMain(logo ?? (introduction && ownerMark(introduction)), heading, main)
  const page = htmlDocument(assets, { title: `${title}`, kind: 'alone', lang: words.lang, more, ...themed }, body)
  return htmlReply(page.text, {
    ...(status !== undefined && { status }),
    handling: pageHandling(assets, { formTargets: `'self' ${formTarget(returnAddress)}` }),
    caching: NO_STORE,
    headers: PRIVATE,
  })
}

const PRIVATE: HeaderList = ['X-Frame-Options', 'DENY', 'X-Robots-Tag', 'noindex']

/**
 * The source expression for the address to which a form leads, because browsers also check redirects after a form (CSP
 * 3 §6.4.2). An origin that is not plain, such as an IPv6 address, is allowed by its scheme.
 */
function formTarget(address: string): string {
  const { origin, protocol } = new URL(address)
  return /^https?:\/\/[a-z0-9.-]+(?::\d+)?$/.test(origin) ? origin : protocol
}
