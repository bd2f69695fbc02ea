import type { Reply } from '#platform/exchange/message.ts'
import { NO_SNIFF, NO_STORE } from '#platform/exchange/reply.ts'
import type { Person } from '#serving/access/session/session-verifier.ts'
import { draftProject } from '#serving/pointers/pointers.ts'
import type { Representation } from '#serving/replies/response-cache.ts'
import type { Guide } from '#site/guide/guide.ts'
import { openGuide, signedInReader } from '#site/guide-reply.ts'
import { type Html, html, type Word } from '#site/html.ts'
import { introductionLinks, introductionOf, ownerMark } from '#site/introduction.ts'
import { htmlDocument, pageRepresentation, signoutTargets, titleIn } from '#site/layout/document.ts'
import { navigationItem, workspaceHeader } from '#site/layout/header.ts'
import { guidePage } from '#site/layout/layout.ts'
import { withFonts } from '#site/library/with-fonts.ts'
import type { Words } from '#site/words/words.ts'
import { type Rights, seesDrafts } from '#store/access/sessions.ts'
import type { ProjectRecord } from '#store/catalogue/catalogue.ts'
import type { ManageContext } from './context.ts'
import { unshared } from './form.ts'

/** A project, and the person who sees it. In `dev`, there is none. */
type SeenProject = { person: Person | undefined; record: ProjectRecord }

/** The guide whose theme and language the manage pages of a project have: the published one, or the draft until then. */
export function managedGuide(context: ManageContext, seen: SeenProject): Promise<Guide> {
  return seen.record.published ? guideOf(context, seen, seen.record) : draftGuide(context, seen)
}

/** The draft of a project, with addresses that only people with access to it can open. */
export function draftGuide(context: ManageContext, seen: SeenProject): Promise<Guide> {
  return guideOf(context, seen, draftProject(seen.record))
}

/** Opens the guide of a record for the person who sees it. */
async function guideOf({ site }: ManageContext, { person }: SeenProject, record: ProjectRecord): Promise<Guide> {
  const { name = record.workspace } = (await site.service.pointers.workspace(record.workspace)) ?? {}
  const publication = site.service.openPublication(record)
  if (!publication) throw new Error('a guide is published, or a draft')
  return openGuide(site, publication, name, person && { person })
}

type ManagePage = {
  title: Word
  /** The path below the project's, or the workspace's. */
  below: string
  /** The content after the heading. */
  main: Html
}

/** Replies with a page of a guide that only one person sees, with links to all manage pages instead of its navigation. */
export async function managePage(
  { site, hasMail }: ManageContext,
  guide: Guide,
  { title, below, main }: ManagePage,
): Promise<Reply> {
  const { record } = guide.publication
  const workspaceAddress = site.at(`/${record.workspace}/-/manage`)
  const home = `/${record.workspace}/${record.project}`
  const guideAddress = site.at(`${home}/-/manage`)
  const current = site.at(home + below)
  const { manage } = guide.words
  const links: readonly ManageLink[] = [
    [guideAddress, manage.publishing],
    [`${guideAddress}/history`, manage.history],
    [`${guideAddress}/links`, manage.share.title],
    [`${guideAddress}/usage`, manage.usage],
    [`${workspaceAddress}#People`, manage.people.title],
    ...(hasMail ? [[`${workspaceAddress}/mail`, guide.words.mail.title] as const] : []),
  ]
  const made = await guidePage(guide, {
    title: `${title}`,
    kind: 'manage',
    below: undefined,
    path: current,
    tabs: manageTabs(guide.words, links, current),
    main: article(title, main),
    referrer: 'same-origin',
  })
  return ownPage(await withFonts(guide, made))
}

/** Replies with a page of a workspace that only one person sees. Its forms may sign the person out. */
export async function workspacePage(
  context: ManageContext,
  words: Words,
  person: Person,
  { title, below, main }: ManagePage,
): Promise<Reply> {
  const { service, assets } = context.site
  const { workspace } = person
  const introduction = await introductionOf(context.site, workspace)
  const name = introduction?.name ?? (await service.profileOf(workspace))?.name ?? workspace
  const signedIn = await signedInReader(context.site, person)
  const current = context.site.at(`/${workspace}${below}`)
  const links = ownLinks(context, words, person, signedIn)
  const mark = introduction ? ownerMark(introduction) : html`<bdi>${name}</bdi>`
  const body = html`<a class="skip" href="#Content">${words.frame.skip}</a>
${workspaceHeader(words, signedIn, mark, current)}${manageTabs(words, links, current)}<div class="frame">
<main id="Content" tabindex="-1">
${article(title, main)}
</main>
</div>`
  const more = introduction && introductionLinks(introduction)
  const document = htmlDocument(
    assets,
    { title: titleIn(name, `${title}`), kind: 'manage', lang: words.lang, more },
    body,
  )
  const formTargets = signoutTargets(service.access.publicUrl)
  const policies = { kind: 'manage', referrer: 'same-origin', formTargets } as const
  return ownPage(pageRepresentation(assets, document, [], policies))
}

/** The pages of a workspace that a person has: of its projects, of mail, and of sessions. */
function ownLinks(
  context: ManageContext,
  words: Words,
  person: Person,
  { manage, sessions }: Awaited<ReturnType<typeof signedInReader>>,
): readonly ManageLink[] {
  const mail = mayChooseMail(context, person) ? context.site.at(`/${person.workspace}/-/manage/mail`) : undefined
  const links = [
    [manage, words.manage.title],
    [mail, words.mail.title],
    [sessions, words.sessions.title],
  ] as const
  return links.flatMap(([address, title]) => (address === undefined ? [] : [[address, title] as const]))
}

/** Whether a person may choose mail: the service sends some, and it is about guides that they may see. */
export function mayChooseMail({ hasMail }: ManageContext, person: Rights): boolean {
  return hasMail && seesDrafts(person)
}

/** A moment in UTC, or with script in the zone of the reader. */
export function timeHtml(words: Words, moment: Date | string): Html {
  const date = new Date(moment)
  return html`<time class="minute" datetime="${date.toISOString()}">${words.time(date)}</time>`
}

/** The last use of something. Only its hour may be known, which can begin before the thing was made. */
export function lastUse(usedAt: Date, createdAt: Date): Date {
  return usedAt > createdAt ? usedAt : createdAt
}

type ManageLink = readonly [path: string, name: Word]

function manageTabs({ manage }: Words, links: readonly ManageLink[], current: string): Html {
  return html`<nav class="subnav" aria-label="${manage.title}"><ul>
${links.map(([path, name]) => navigationItem({ name, path }, current))}</ul></nav>
`
}

function article(heading: Word, main: Html): Html {
  return html`<article class="prose manage"><h1>${heading}</h1>
${main}</article>`
}

/**
 * Replies with a page that only one person sees: no cache keeps it, and no frame shows it. If it has forms, its referrer
 * policy must be `same-origin`, so that they state their origin: `referrer` of `guidePage` and of `pageHandling`.
 */
export function ownPage({ bytes, type }: Representation): Reply {
  return unshared({ status: 200, headers: [...type, ...NO_STORE, ...NO_SNIFF], hasOwnHeaders: true, body: bytes })
}
