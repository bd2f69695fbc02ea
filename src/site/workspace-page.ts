import type { ProjectRef } from '#brand/ids.ts'
import { HOME_PAGE } from '#brand/page.ts'
import type { MaybePromise } from '#platform/base/promise.ts'
import type { Reply, Request } from '#platform/exchange/message.ts'
import { redirect } from '#platform/exchange/reply.ts'
import { managesAll } from '#serving/access/session/rights.ts'
import type { Person } from '#serving/access/session/session-verifier.ts'
import { type Waiting, waitingFor } from '#serving/access/session/waiting.ts'
import { isOpen, type WorkspaceState, workspaceState } from '#serving/pointers/workspace-state.ts'
import { PRIVATE_CACHING, PUBLIC_CACHING, type Publication } from '#serving/publications/publications.ts'
import { workspaceKey } from '#serving/replies/content-keys.ts'
import type { Representation } from '#serving/replies/response-cache.ts'
import { coveredIn } from './authorize.ts'
import { breakable, heading } from './cards/long-words.ts'
import { addressElsewhere } from './elsewhere.ts'
import { withDominantColors } from './guide/dominant-colors.ts'
import type { Guide, SignedIn } from './guide/guide.ts'
import { openGuide, signedInReader } from './guide-reply.ts'
import { attribute, type Html, html, type Word } from './html.ts'
import { introductionLinks, introductionOf, ownerMark, signInAddress } from './introduction.ts'
import { htmlDocument, pageRepresentation, type ThemedParts, textDirection, themedParts } from './layout/document.ts'
import { workspaceHeader } from './layout/header.ts'
import { listEnd, MAX_ENTRIES } from './layout/layout.ts'
import { withFonts } from './library/with-fonts.ts'
import { pageKey } from './page-key.ts'
import { guideFace } from './pages/cover-card.ts'
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
  const storedState = await (person ? pointers.workspace(id) : pointers.openWorkspace(id))
  const state = storedState ?? (person && managesAll(person) ? emptyWorkspace(id) : undefined)
  if (!state) return undefined
  const list = await listFor(site, state, person)
  if (!isShown(list)) return undefined
  const elsewhere = addressElsewhere(site, request, { workspace: id })
  return elsewhere ? redirect(308, elsewhere) : listReply(site, request, list)
}

/** The state of a workspace that a followed repository has not brought yet. */
function emptyWorkspace(id: string): WorkspaceState {
  return { ...NO_PROJECTS, id, name: id }
}

const NO_RECORDS = { records: [], damaged: [] }
const NO_PROJECTS = workspaceState('', '', { open: NO_RECORDS, hidden: NO_RECORDS })

/** A workspace, and what the reader of its page may see of it; `person` is undefined without a session. */
type ProjectList = {
  state: WorkspaceState
  projects: WorkspaceState['published']
  person: Person | undefined
  signedIn: SignedIn | undefined
  waiting: readonly Waiting[]
}

async function listFor(site: Site, state: WorkspaceState, person: Person | undefined): Promise<ProjectList> {
  // Throws if the row of a public project is damaged.
  const { open } = state
  const waiting = person ? await waitingFor(site.service, person) : []
  const signedIn = person && (await signedInReader(site, person))
  const projects = person ? visibleTo(person, state) : open
  return { state, person, signedIn, waiting, projects }
}

/** The projects that everyone or a person may see. */
function visibleTo(person: Person, state: WorkspaceState): WorkspaceState['published'] {
  const visible = new Set([...state.open, ...coveredIn(state, person)])
  return state.sound.filter(record => visible.has(record))
}

function isShown({ projects, waiting, person }: ProjectList): boolean {
  return projects.length + waiting.length > 0 || (person !== undefined && managesAll(person))
}

function listReply(site: Site, request: Request, list: ProjectList): MaybePromise<Reply | undefined> {
  const { state, projects, signedIn, waiting } = list
  // All readers without a session share one page.
  const reader = signedIn ? JSON.stringify([signedIn, projects.map(({ project }) => project), waiting]) : ''
  const key = pageKey({ kind: 'workspace', content: workspaceKey(state), reader })
  return site.pages.reply(key, request, () => workspacePage(list, site))
}

async function workspacePage(list: ProjectList, site: Site): Promise<Representation> {
  const { state, projects, signedIn, waiting } = list
  const { id, name } = state
  const words = wordsFor(await sharedLang(projects, site))
  const command = html`<code dir="ltr">housestyle import</code>`
  const isEmpty = projects.length + waiting.length === 0
  const { hosts, access } = site.service
  const address = hosts.of({ workspace: id })?.url ?? `${access.publicUrl}/${id}`
  return listPage(site, {
    words,
    title: name,
    workspace: id,
    signedInTo: signedIn ? [{ name, signedIn, waiting }] : [],
    guides: listedGuides(name, projects),
    lead: words.front.workspace,
    end: html`${isEmpty && html`<p>${words.manage.start({ command })}</p>`}`,
    headLinks: html`<link rel="canonical" href="${address}">\n`,
  })
}

/** The page at `/`, or of a workspace. */
type ListPage = {
  words: Words
  title: Word
  /** The workspace of all guides; undefined if they have several. */
  workspace: string | undefined
  /** The workspaces that the reader is signed in to. */
  signedInTo: readonly Pick<OwnGuides, 'name' | 'signedIn' | 'waiting'>[]
  guides: readonly ListedGuide[]
  lead: Html | Word
  /** Before and after the guides. */
  start?: Html | undefined
  end: Html
  /** Links in the head of the document; absent at `/`. */
  headLinks?: Html
}

async function listPage(site: Site, list: ListPage): Promise<Representation> {
  const { assets } = site
  const { words, title, workspace, signedInTo, headLinks } = list
  const guides = await openGuides(site, list.guides)
  const { logo, links: sheets, guide: themeGuide, ...themed } = await listTheme(site, workspace, guides)
  const only = signedInTo.length === 1 ? signedInTo[0] : undefined
  const header = only && workspaceHeader(words, only.signedIn, html`<bdi>${only.name}</bdi>`, only.signedIn.home)
  const body = html`${header}<main id="Content" class="alone">
${await listContent(site, list, guides, logo)}
</main>`
  const more = html`${headLinks}${sheets}`
  const document = htmlDocument(assets, { title: `${title}`, kind: 'alone', lang: words.lang, more, ...themed }, body)
  const page = pageRepresentation(assets, document, signedInTo.length > 0 ? PRIVATE_CACHING : PUBLIC_CACHING)
  const guidesWithPreview = guides.filter(guide => guide !== undefined)
  const withColors = await withDominantColors(guidesWithPreview, page)
  return themeGuide ? withFonts(themeGuide, withColors) : withColors
}

/** Opens the listed guides, at the same places; undefined for one without a preview. */
async function openGuides(site: Site, listed: readonly ListedGuide[]): Promise<OpenGuides> {
  const guides: (Guide | undefined)[] = []
  for (const { record, workspaceName } of listed) {
    const publication = site.service.openPublication(record)
    guides.push(publication && (await openGuide(site, publication, workspaceName)))
  }
  return guides
}

type OpenGuides = readonly (Guide | undefined)[]

async function listContent(
  site: Site,
  { words, title, lead, start, end, signedInTo, guides: listed, headLinks }: ListPage,
  guides: OpenGuides,
  logo: Html | undefined,
): Promise<Html> {
  const waiting = signedInTo.flatMap(each => each.waiting)
  const isRoot = headLinks === undefined
  return html`${logo && html`<p>${logo}</p>\n`}${heading(1, `${title}`)}
<p class="lead">${lead}</p>
${start}${waitingList(words, site.at, waiting)}${listed.length > 0 && (await guideCards(site, listed, guides, isRoot))}${end}`
}

/** The drafts that wait for a person, with links to publish or review them. Undefined without any. */
function waitingList(
  { manage, review, draft, day }: Words,
  at: Site['at'],
  waiting: readonly Waiting[],
): Html | undefined {
  if (waiting.length === 0) return undefined
  const entry = (each: Waiting) =>
    html`<li><a href="${at(each.path)}"><bdi>${each.name}</bdi></a>
<p>${draft.since({ day: day(each.updatedAt) })} <strong aria-hidden="true">${each.isReview ? review.title : manage.publish}</strong></p></li>\n`
  return html`<section><h2>${manage.waiting}</h2>
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

/** The number of listed guides with a preview. */
const MAX_PREVIEWS = 100

/** The theme of the workspace, else that of the only guide, with this guide; empty without either. */
async function listTheme(
  site: Site,
  workspace: string | undefined,
  guides: OpenGuides,
): Promise<ThemedParts & { guide?: Guide }> {
  const introduction = workspace === undefined ? undefined : await introductionOf(site, workspace)
  const { theme } = introduction ?? {}
  if (introduction && theme)
    return { logo: theme.logo && ownerMark(introduction), links: introductionLinks(introduction) }
  const [guide, ...otherGuides] = guides
  return guide && otherGuides.length === 0 ? { ...(await themedParts(guide)), guide } : {}
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
  const ownGuides = await Promise.all(people.map(person => ownGuidesOf(site, person)))
  // Everything on the page that depends on its reader.
  const ownParts = ownGuides.map(({ projects, ...rest }) => [projects.map(({ project }) => project), rest])
  const words = readerWords(request)
  const reader = `${words.lang}\n${ownGuides.length === 0 ? '' : JSON.stringify(ownParts)}`
  return site.pages.reply(pageKey({ kind: 'home', version, reader }), request, () => homePage(site, words, ownGuides))
}

async function ownGuidesOf(site: Site, person: Person): Promise<OwnGuides> {
  const { service } = site
  const { workspace: id } = person
  const state = (await service.pointers.workspace(id)) ?? emptyWorkspace(id)
  const projects = coveredIn(state, person).filter(record => !isOpen(record))
  return {
    name: state.name,
    projects,
    signedIn: await signedInReader(site, person),
    waiting: await waitingFor(service, person),
  }
}

async function homePage(site: Site, words: Words, ownGuides: readonly OwnGuides[]): Promise<Representation> {
  const { service, at } = site
  const { total, workspaces } = await service.openProjects.first(MAX_ENTRIES)
  const privateGuides = ownGuides.flatMap(({ name, projects }) => listedGuides(name, projects))
  const guides = [...privateGuides, ...(await publicGuides(site, workspaces))]
  const { front, signin } = words
  const signIn = ownGuides.length === 0 && (await signInAddress(site, '/'))
  const programs = front.programs({
    api: html`<a href="${at('/docs')}">API</a>`,
    description: html`<a href="${at('/openapi.json')}">openapi.json</a>`,
  })
  const [workspace, ...otherWorkspaces] = new Set(guides.map(guide => guide.workspace))
  const page = await listPage(site, {
    words,
    title: front.title,
    workspace: otherWorkspaces.length === 0 ? workspace : undefined,
    signedInTo: ownGuides,
    guides,
    lead: guides.length === 0 ? front.none : html`${front.workspace} ${front.choose}`,
    start: signIn ? html`<p><a class="primary" href="${signIn}">${signin.signIn}</a></p>\n` : undefined,
    end: html`${listEnd(words, total, at('/sitemap.xml'))}\n<p class="quiet">${programs}</p>`,
  })
  // The language is the reader's, since the guides may have several.
  return { ...page, about: [...page.about, 'Vary', 'Accept-Language'] }
}

/** The listed public guides of all workspaces. Only the first ones have a record, for their preview. */
async function publicGuides({ service }: Site, workspaces: OpenWorkspaces): Promise<ListedGuide[]> {
  const guides: ListedGuide[] = []
  for (const { id, name: workspaceName, projects } of workspaces) {
    const state = guides.length < MAX_PREVIEWS ? await service.pointers.openWorkspace(id) : undefined
    for (const { workspace, project, name } of projects) {
      const hasPreview = guides.length < MAX_PREVIEWS
      const record = hasPreview ? state?.open.find(each => each.project === project) : undefined
      guides.push({ workspace, project, name, workspaceName, record })
    }
  }
  return guides
}

type OpenWorkspaces = Awaited<ReturnType<Site['service']['openProjects']['first']>>['workspaces']

/** A listed guide with the name of its workspace. Without a record, its card has no preview. */
type ListedGuide = ProjectRef & {
  name: string
  workspaceName: string
  record?: Publication['record'] | undefined
}

/** Links to guides, each with a face and the description of its home page, and below `/` with its workspace. */
async function guideCards(
  site: Site,
  listed: readonly ListedGuide[],
  guides: OpenGuides,
  isRoot: boolean,
): Promise<Html> {
  const cards: Html[] = []
  for (const [at, { workspace, project, name, workspaceName }] of listed.entries()) {
    const guide = guides[at]
    const { face, text } = guide ? await homePreview(guide) : {}
    const link = html`<a href="${site.paths.project({ workspace, project })}">${breakable(name)}</a>`
    const workspaceLink = isRoot && html`<a class="quiet" href="${site.at(`/${workspace}`)}">${workspaceName}</a>`
    cards.push(html`<li>${face}${link}${text}${workspaceLink}</li>\n`)
  }
  return html`<ul class="cards guides">
${cards}</ul>`
}

async function homePreview(guide: Guide): Promise<{ face?: Html | undefined; text?: Html | undefined }> {
  const { content } = guide.publication
  const home = (await content.pages()).get(HOME_PAGE)
  const lang = await content.lang()
  const language = attribute('lang', lang)
  const { description } = home ?? {}
  return {
    face: await guideFace(guide, home),
    text: description === undefined ? undefined : html`<p${language}${textDirection(lang)}>${description}</p>`,
  }
}
