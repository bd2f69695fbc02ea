import { refusalReply, refuseNotFound } from '#brand/contract/refusals.ts'
import type { MaybePromise } from '#platform/base/promise.ts'
import type { Reply, Request } from '#platform/exchange/message.ts'
import { decodeSegments } from '#platform/exchange/target.ts'
import type { Person } from '#serving/access/session/session-verifier.ts'
import { offersSignin } from '#serving/access/session/signins.ts'
import { type Html, html, type Word } from '../html.ts'
import { type Introduction, introductionOf } from '../introduction.ts'
import { contactLink } from '../layout/layout.ts'
import type { Site } from '../site.ts'
import { readerWords } from '../words/reader-words.ts'
import type { Words } from '../words/words.ts'
import { isForPeople, refusedText, standalonePage } from './standalone-page.ts'

/**
 * The reply if nothing exists at an address, or nothing that this request may see: a page for a browser, else the error
 * of the API. The page depends only on the workspace and the reader, so that it reveals nothing about projects: its
 * bytes are the same at every such address of a workspace. A person whom the rules refuse learns why.
 */
export function notFound(request: Request, site: Site): MaybePromise<Reply> {
  const { publicUrl } = site.service.access
  const refusal = refusalReply(refuseNotFound(request.path, publicUrl, ['Vary', 'Accept']), publicUrl)
  return isForPeople(request) ? pageForPerson(request, site, refusal.status) : refusal
}

async function pageForPerson(request: Request, site: Site, status: number): Promise<Reply> {
  const { service, assets, at } = site
  const { signins, sessions, profileOf } = service
  const [workspace = ''] = decodeSegments(request.path) ?? []
  const words = readerWords(request)
  const { lang, signin, nothing } = words
  const refused = request.assertions && (await service.refusedPerson(request, workspace))
  const introduction = await introductionOf(site, workspace)
  if (refused) {
    const text = refusedText(words, refused, (await profileOf(workspace))?.contact)
    return standalonePage(assets, status, { title: signin.noAccess, text, lang, introduction })
  }
  const hasSignin = offersSignin(signins, workspace)
  const person = hasSignin ? await sessions.person(request, workspace) : undefined
  const signLink = hasSignin ? at(`/-/${person ? 'signout' : 'signin'}?${new URLSearchParams({ workspace })}`) : ''
  const page =
    introduction && !person
      ? guestPage(words, introduction, signLink)
      : unknownPage(words, introduction, person, signLink)
  const linkClass = hasSignin ? 'quiet' : 'primary'
  const text = html`${page.text}\n<p><a class="${linkClass}" href="${at('/')}">${nothing.publicGuides}</a></p>`
  // The links to sign in and out do not name the address to return to: the browser does, as their referrer.
  const policies = { referrer: 'same-origin' }
  return standalonePage(assets, status, { ...page, text, lang, introduction, policies })
}

/** A page; `heading` is the title by default. */
type PageText = { title: Word; heading?: Word; text: Html }

/**
 * The page for someone who is not signed in, at any closed or unknown address of a workspace with an introduction. `signIn`
 * is empty if the workspace does not offer it.
 */
function guestPage(words: Words, introduction: Introduction, signIn: string): PageText {
  const { nothing, signin } = words
  const text = signIn
    ? html`<p>${nothing.withAccount}</p>\n<p><a class="primary" href="${signIn}">${signin.signIn}</a></p>`
    : html`<p>${nothing.withLink}</p>`
  return {
    title: nothing.people({ workspace: introduction.name }),
    text: html`${text}\n${contactLine(words, introduction)}<p class="quiet">${nothing.why}</p>`,
  }
}

/** The page for someone who is signed in, and for unknown workspaces. */
function unknownPage(
  words: Words,
  introduction: Introduction | undefined,
  person: Person | undefined,
  signOut: string,
): PageText {
  const { nothing } = words
  const account = person && html`<p>${accountText(words, person, signOut)}</p>\n`
  const text = html`<p>${nothing.why}</p>\n<p>${nothing.private}</p>\n${account}${contactLine(words, introduction)}`
  return { title: nothing.title, heading: nothing.here, text }
}

/** Says that this account may not see everything, with the link to sign out. */
function accountText({ nothing }: Words, { name }: Person, link: string): Html | Word {
  return name === undefined ? nothing.partly({ link }) : nothing.partlyAs({ name: html`<bdi>${name}</bdi>`, link })
}

function contactLine({ frame }: Words, { contact }: Partial<Introduction> = {}): Html | undefined {
  return contact === undefined ? undefined : html`<p>${frame.contact({ contact: contactLink(contact) })}</p>\n`
}
