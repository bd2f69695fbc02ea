import { covers, managesAll } from '../access/session/exercised-rights.ts'
import type { Person } from '../access/session/session-verifier.ts'
import { type Waiting, waitingFor } from '../access/session/waiting.ts'
import type { MaybePromise } from '../base/promise.ts'
import type { ProjectRef } from '../brand/ids.ts'
import { HOME_PAGE } from '../brand/page.ts'
import type { Reply, Request } from '../exchange/message.ts'
import { type WorkspaceState, workspaceState } from '../serving/pointers/workspace-state.ts'
import { PRIVATE_CACHING, PUBLIC_CACHING, type Publication } from '../serving/publications/publications.ts'
import { workspaceKey } from '../serving/replies/content-keys.ts'
import type { Representation } from '../serving/replies/response-cache.ts'
import { heading } from './cards/long-words.ts'
import type { Guide, SignedIn } from './guide/guide.ts'
import { openGuide, signedInReader } from './guide-reply.ts'

import { type Html, html } from './html.ts'
import { accentLink, introductionOf, ownerMark, signInAddress } from './introduction.ts'
import { htmlDocument, pageRepresentation, type ThemedParts, textDirection, themedParts } from './layout/document.ts'
import { workspaceHeader } from './layout/header.ts'
import { listEnd, MAX_ENTRIES } from './layout/layout.ts'
import { withFonts } from './library/with-fonts.ts'
import { pageKey } from './page-key.ts'
import { guideFace } from './pages/cover.ts'
import type { Site } from './site.ts'
import { readerWords } from './words/reader-words.ts'
import { type Words, wordsFor } from './words/words.ts'

/**
 * The page of a workspace with the projects that are public or that the person may see, after the drafts that wait for
 * them; undefined if there are neither, except for people who manage the workspace, who read how to start.
 */
export async function workspaceReply(site: Site, request: Request, id: string): Promise<Reply | undefined> {
  const { sessions, pointers } = site.service
  const person = await sessions.person(request, id)
  const found = await (person ? pointers.workspace(id) : pointers.openWorkspace(id))
  const state = found ?? (person && managesAll(person) ? { ...NO_PROJECTS, id, name: id } : undefined)
  return state && listReply(site, request, await listFor(site, state, person))
}

/** The state of a workspace that a followed repository has not brought yet. */
const NO_PROJECTS = workspaceState('', '', [])

type ProjectList = {
  state: WorkspaceState
  projects: WorkspaceState['published']
  person: Person | undefined
  signedIn: SignedIn | undefined
  waiting: readonly Waiting[]
}

async function listFor(site: Site, state: WorkspaceState, person: Person | undefined): Promise<ProjectList> {
  const { published, open } = state
  const maySee = (record: (typeof published)[number]) => open.includes(record) || (person && covers(person, record))
  const waiting = person ? await waitingFor(site.service, person) : []
  const signedIn = person && (await signedInReader(site, person))
  return { state, person, signedIn, waiting, projects: person ? published.filter(maySee) : open }
}

function listReply(site: Site, request: Request, list: ProjectList): MaybePromise<Reply | undefined> {
  const { state, projects, person, signedIn, waiting } = list
  if (projects.length + waiting.length === 0 && !(person && managesAll(person))) return undefined
  const reader = signedIn ? JSON.stringify([signedIn, projects.map(({ project }) => project), waiting]) : ''
  const key = pageKey({ kind: 'workspace', content: workspaceKey(state), reader })
  return site.pages.reply(key, request, () => workspacePage(list, site))
}

async function workspacePage(
  { state: { id, name }, projects, signedIn, waiting }: ProjectList,
  site: Site,
): Promise<Representation> {
  const { service, assets, base } = site
  const words = wordsFor(await sharedLang(projects, site))
  const { logo, links, guide, ...themed } = await themeParts(id, name, projects, site)
  const guides = projects.length > 0 && (await guideCards(site, listedGuides(name, projects)))
  const command = html`<code dir="ltr">housestyle import</code>`
  const start = !guides && waiting.length === 0 && html`<p>${words.manage.start({ command })}</p>`
  const body = html`${signedIn && workspaceHeader(words, signedIn, html`<bdi>${name}</bdi>`, signedIn.home)}<main id="Content" class="alone">
${logo && html`<p>${logo}</p>\n`}${heading(1, name)}
<p class="lead">${words.front.workspace}</p>
${waitingList(words, base, waiting)}${guides}${start}
</main>`
  const canonical = html`<link rel="canonical" href="${service.access.publicUrl}/${id}">\n`
  const more = html`${canonical}${links}`
  const document = htmlDocument(assets, { title: name, kind: 'alone', lang: words.lang, more, ...themed }, body)
  const made = pageRepresentation(assets, document, signedIn ? PRIVATE_CACHING : PUBLIC_CACHING)
  return guide ? withFonts(guide, made) : made
}

/** The drafts that wait for a person, with links to publish or review them. Undefined without any. */
function waitingList(
  { manage, review, draft, day }: Words,
  base: string,
  waiting: readonly Waiting[],
): Html | undefined {
  if (waiting.length === 0) return undefined
  const entry = (each: Waiting) =>
    html`<li><a href="${base}${each.path}"><bdi>${each.name}</bdi></a>
<p>${draft.since({ day: day(each.updatedAt) })}</p> <strong aria-hidden="true">${each.isReview ? review.title : manage.publish}</strong></li>\n`
  return html`<section class="waiting"><h2>${manage.waiting}</h2>
<ul class="cards">
${waiting.map(entry)}</ul></section>
`
}

/** The language of all listed guides; undefined if they differ. */
async function sharedLang(projects: ProjectList['projects'], { service }: Site): Promise<string | undefined> {
  const langs = new Set<string | undefined>()
  for (const record of projects.slice(0, MAX_PREVIEWS)) langs.add(await service.openPublication(record)?.content.lang())
  return langs.size === 1 ? [...langs][0] : undefined
}

/** Published projects as cards; after the first ones, without a preview, so that a long list opens few contents. */
function listedGuides(workspaceName: string, projects: ProjectList['projects']): ListedGuide[] {
  return projects.map((record, at) => {
    const { workspace, project, published } = record
    return { workspace, project, workspaceName, name: published.name, record: at < MAX_PREVIEWS ? record : undefined }
  })
}

const MAX_PREVIEWS = 100

/** The page has the theme of its guide if it lists only one, else the theme of the workspace. */
async function themeParts(
  id: string,
  name: string,
  projects: ProjectList['projects'],
  site: Site,
): Promise<ThemedParts & { guide?: Guide }> {
  const publication = projects.length === 1 ? site.service.openPublication(projects[0]) : undefined
  if (!publication) {
    const introduction = await introductionOf(site, id)
    const logo = introduction?.theme?.logo && ownerMark(introduction)
    return introduction ? { logo, links: accentLink(introduction) } : {}
  }
  const guide = await openGuide(site, publication, name)
  return { ...(await themedParts(guide)), guide }
}

/** A workspace with the private guides that a person who is signed in may see, and the drafts that wait for them. */
type OwnGuides = {
  name: string
  projects: WorkspaceState['published']
  signedIn: SignedIn
  waiting: readonly Waiting[]
}

/** The page at `/`: the public guides by workspace, after the private ones that people who are signed in may see. */
export async function homeReply(site: Site, request: Request): Promise<Reply | undefined> {
  const version = site.service.pointers.version()
  const people = request.headers.cookie === undefined ? [] : await site.service.sessions.people(request)
  const own = await Promise.all(people.map(person => ownGuides(site, person)))
  const shown = own.map(({ projects, ...rest }) => [projects.map(({ project }) => project), rest])
  const words = readerWords(request)
  const reader = `${words.lang}\n${own.length === 0 ? '' : JSON.stringify(shown)}`
  return site.pages.reply(pageKey({ kind: 'home', version, reader }), request, () => homePage(site, words, own))
}

async function ownGuides(site: Site, person: Person): Promise<OwnGuides> {
  const { service } = site
  const { workspace: id } = person
  const { name = id, published = [], open = [] } = (await service.pointers.workspace(id)) ?? {}
  const projects = published.filter(record => !open.includes(record) && covers(person, record))
  return { name, projects, signedIn: await signedInReader(site, person), waiting: await waitingFor(service, person) }
}

async function homePage(site: Site, words: Words, own: readonly OwnGuides[]): Promise<Representation> {
  const { service, assets, base } = site
  const { total, workspaces } = await service.openProjects.first(MAX_ENTRIES)
  const guides = own.flatMap(({ name, projects }) => listedGuides(name, projects))
  let previews = 0
  for (const { id, name: workspaceName, projects } of workspaces) {
    const state = previews < MAX_PREVIEWS ? await service.pointers.openWorkspace(id) : undefined
    for (const { publishedAt: _, ...guide } of projects) {
      const record =
        previews++ < MAX_PREVIEWS ? state?.open.find(({ project }) => project === guide.project) : undefined
      guides.push({ ...guide, workspaceName, record })
    }
  }
  const { front, signin, lang } = words
  const signIn = own.length === 0 && (await signInAddress(site, '/'))
  const [only, other] = own
  const header =
    only && !other && workspaceHeader(words, only.signedIn, html`<bdi>${only.name}</bdi>`, only.signedIn.home)
  const waiting = waitingList(
    words,
    base,
    own.flatMap(each => each.waiting),
  )
  const programs = front.programs({
    api: html`<a href="${base}/docs">API</a>`,
    description: html`<a href="${base}/openapi.json">openapi.json</a>`,
  })
  const body = html`${header}<main id="Content" class="alone">
<h1>${front.title}</h1>
<p class="lead">${guides.length === 0 ? front.none : html`${front.workspace} ${front.choose}`}</p>
${signIn && html`<p><a class="primary" href="${signIn}">${signin.signIn}</a></p>\n`}${waiting}${guides.length > 0 && (await guideCards(site, guides, true))}${listEnd(words, total, `${base}/sitemap.xml`)}
<p class="quiet">${programs}</p>
</main>`
  const [workspace, ...others] = new Set(guides.map(guide => guide.workspace))
  const introduction = workspace === undefined || others.length > 0 ? undefined : await introductionOf(site, workspace)
  const more = introduction && accentLink(introduction)
  const document = htmlDocument(assets, { title: `${front.title}`, kind: 'alone', lang, more }, body)
  const caching = own.length > 0 ? PRIVATE_CACHING : PUBLIC_CACHING
  return pageRepresentation(assets, document, [...caching, 'Vary', 'Accept-Language'])
}

/** A listed guide with the name of its workspace. Without a record, its card has no preview. */
type ListedGuide = ProjectRef & {
  name: string
  workspaceName: string
  record?: Publication['record'] | undefined
}

/** Links to guides, each with a face and the description of its home page, and below `/` with its workspace. */
async function guideCards(site: Site, guides: readonly ListedGuide[], isRoot = false): Promise<Html> {
  const cards: Html[] = []
  for (const { name, workspaceName, record, ...place } of guides) {
    const { face, text } = record ? await homePreview(site, workspaceName, record) : {}
    const workspace = isRoot && html`<a class="quiet" href="${site.base}/${place.workspace}">${workspaceName}</a>`
    cards.push(html`<li>${face}<a href="${site.paths.project(place)}">${name}</a>${text}${workspace}</li>\n`)
  }
  return html`<ul class="cards guides">
${cards}</ul>`
}

async function homePreview(
  site: Site,
  workspace: string,
  record: Publication['record'],
): Promise<{ face?: Html | undefined; text?: Html | undefined }> {
  const publication = site.service.openPublication(record)
  if (!publication) return {}
  const home = (await publication.content.pages()).get(HOME_PAGE)
  const guide = await openGuide(site, publication, workspace)
  const lang = await publication.content.lang()
  const language = lang !== undefined && html` lang="${lang}"`
  const { description } = home ?? {}
  return {
    face: await guideFace(guide, home),
    text: description === undefined ? undefined : html`<p${language}${textDirection(lang)}>${description}</p>`,
  }
}
