import { setImmediate } from 'node:timers/promises'
import { DRAFT_PATH } from '#brand/contract/operations.ts'
import type { Ids } from '#brand/contract/route.ts'
import type { ProjectRef } from '#brand/ids.ts'
import type { Page } from '#brand/page.ts'
import { perObject } from '#platform/base/object.ts'
import { once } from '#platform/base/promise.ts'
import { groupsOf } from '#platform/base/text.ts'
import { type Reply, type Request, withHeaders } from '#platform/exchange/message.ts'
import { NO_STORE, redirect } from '#platform/exchange/reply.ts'
import { edits, manages } from '#serving/access/session/rights.ts'
import type { Person } from '#serving/access/session/session-verifier.ts'
import { offersSignin } from '#serving/access/session/signins.ts'
import { waitingFor } from '#serving/access/session/waiting.ts'
import type { ShareKind } from '#serving/access/share/shares.ts'
import type { ArchiveSelection } from '#serving/downloads/archive-selection.ts'
import { archiveReply } from '#serving/downloads/project-archive.ts'
import { cachingHeaders, type Publication } from '#serving/publications/publications.ts'
import { pagesKey, replyKey } from '#serving/replies/content-keys.ts'
import type { Access } from './authorize.ts'
import { addressElsewhere } from './elsewhere.ts'
import { type Guide, originalIn, queryOf, type SignedIn } from './guide/guide.ts'
import { languagesOf } from './guide-languages.ts'
import { filterQuery, useFilter } from './library/files/use-filter.ts'
import { withFonts } from './library/with-fonts.ts'
import { pageKey } from './page-key.ts'
import { notFound } from './pages/not-found.ts'
import { isForPeople } from './pages/standalone-page.ts'
import { sessionsAddress } from './sessions-address.ts'
import type { Site } from './site.ts'
import type { ViewName } from './views.ts'
import { wordsFor } from './words/words.ts'

/**
 * A request for an address of a guide, or of its draft, that may see it. `ids` has the parts of the address that
 * `GUIDE_ROWS` names, and in `rest` all of it below the guide: `-/colors/ink`.
 */
type GuideRequest = {
  site: Site
  request: Request
  ids: Ids
  access: Access
  /** Opens the guide, which cached replies do not need. */
  guide: () => Promise<Guide>
  /** The cache key of the content. */
  key: string
  /** The part of the cache key for what a page shows about its reader: their `signedIn`, other languages and the book. */
  reader: string
  /** Changes when revisions of the workspace are retracted. */
  version: number | undefined
}

/** Replies at an address of a guide; undefined if nothing exists there. */
export type GuideReply = (asked: GuideRequest) => Promise<Reply | undefined>

/**
 * Replies at an address of a guide to a request that may see it: with its content, a redirect to the page that was moved
 * from there, or the page for unknown addresses. A reply with `isForAll` shows no reader, so that all readers share it.
 */
export async function replyWithAccess(
  site: Site,
  request: Request,
  ids: Ids,
  access: Access,
  { isForAll = false, reply }: { isForAll?: boolean; reply: GuideReply },
): Promise<Reply | undefined> {
  const { publication, person } = access
  const { record } = publication
  const elsewhere = isForAll || request.authorizations > 0 ? undefined : addressElsewhere(site, request, record)
  if (elsewhere !== undefined) return redirect(308, elsewhere, cachingHeaders(publication))
  const { name: workspace = record.workspace, version } =
    (await site.service.pointers.workspace(record.workspace)) ?? {}
  const languages = await languagesOf(site, request, access, isForAll)
  const guide = once(() => openGuide(site, publication, workspace, { ...(!isForAll && access), languages }))
  const key = pagesKey(publication, workspace)
  // Other content on pages: links to the languages that the reader may see, and to the book.
  const linkedContent = languages.map(replyKey).join() + (site.book?.(publication)?.hash ?? '')
  const reader = (person ? JSON.stringify(await signedInReader(site, person, record)) : '') + linkedContent
  const keyOfReader = isForAll ? linkedContent : reader
  const content = await reply({ site, request, ids, access, guide, key, reader: keyOfReader, version })
  if (content) return content
  const moved = await movedPath(await guide(), ids.rest)
  if (moved)
    return redirect(moved.status, moved.path + (request.query && `?${request.query}`), cachingHeaders(publication))
  if (!isForPeople(request)) return undefined
  const readersGuide = await openGuide(site, publication, workspace, { ...access, languages })
  return missingReply(readersGuide, { content: key, reader, below: ids.rest }, request)
}

/** Opens a guide for its pages: with the words of its language, and what they show about their reader, if given. */
export async function openGuide(
  site: Site,
  publication: Publication,
  workspace: string,
  { hasToken = false, link, person, languages = [] }: Partial<Access & Pick<Guide, 'languages'>> = {},
): Promise<Guide> {
  const words = wordsFor(await publication.content.lang())
  const signedIn = person && (await signedInReader(site, person, publication.record))
  return { site, publication, workspace, words, languages, hasToken, signedIn, link }
}

/** A signed-in reader as the pages of a project or of the workspace show them, with what waits for them there. */
export async function signedInReader(site: Site, person: Person, record?: Publication['record']): Promise<SignedIn> {
  const { at, service } = site
  const { name, workspace } = person
  const waiting = await waitingFor(service, person)
  const home = `/${workspace}`
  const isEditor = record !== undefined && edits(person, record) && (await site.edits?.(workspace)) === true
  const hasRight = record ? manages(person, record) : person.manages !== undefined
  return {
    home: at(home),
    name,
    signOut: at(`/-/signout?${new URLSearchParams({ workspace })}`),
    manage: hasRight ? at(`${record ? `${home}/${record.project}` : home}/-/manage`) : undefined,
    edit: isEditor ? at(`${home}/${record.project}/-/edit`) : undefined,
    sessions: sessionsAddress(at, person),
    waiting: { count: waiting.length, own: waiting.find(({ project }) => project === record?.project) },
  }
}

/** The part of a query that a view depends on: the use of files, or the values of some keys. */
type QueryKind = 'use' | readonly string[]

/**
 * Replies with a view, from the cache if possible. `query` is the part of the query that it reads, and `shows` what it
 * shows about its reader apart from their name.
 */
export function view(
  name: ViewName,
  { query = [], shows = () => '' }: { query?: QueryKind; shows?: (asked: GuideRequest) => string } = {},
): GuideReply {
  return async asked => {
    const { site, request, ids, guide, access, key: content } = asked
    const filter = query === 'use' ? useFilter(request.query) : undefined
    const chosen = query === 'use' ? '' : chosenQuery(request.query, query)
    const reader = shows(asked) + asked.reader
    // Some files are not offered any more from one day to the next.
    const day = access.publication.content.today()
    const key = pageKey({ kind: 'view', content, day, query: filterQuery(filter) + chosen, reader, below: ids.rest })
    return site.pages.reply(key, request, async () => {
      // Starts in a new turn of the event loop, so that other requests wait for at most one view.
      await setImmediate()
      return (await views()).viewAt(name, await guide(), { ids, filter, chosen })
    })
  }
}

/** The given keys of a query that have a value. */
function chosenQuery(query: string, keys: readonly string[]): string {
  const params = new URLSearchParams(query)
  return queryOf(Object.fromEntries(keys.map(name => [name, params.get(name) || undefined])))
}

/** Loaded after the start, which they would delay. */
const views = () => import('./views.ts')

/** Replies with the archive that `select` chooses; undefined without one. */
export function archive(
  select: (asked: GuideRequest) => ArchiveSelection | undefined | Promise<ArchiveSelection | undefined>,
): GuideReply {
  return async asked => {
    const selection = await select(asked)
    return selection && archiveReply(asked.site.archives, asked.access.publication, selection, asked.request)
  }
}

/** Replies with the book of the guide. Its link lasts, so that every use asks whether it has changed. */
export async function bookReply({ site, request, access }: GuideRequest): Promise<Reply | undefined> {
  const { record } = access.publication
  const book = site.book?.(access.publication)
  return book && site.downloads.reply({ record, published: { visibility: 'private' } }, book, request)
}

/** Selects the archive of exports that an address names; undefined without one. */
export async function exportSelection(asked: GuideRequest): Promise<ArchiveSelection | undefined> {
  const { ids, guide, access, key: content } = asked
  const { exportArchive } = await import('./exports/export-view.ts')
  const day = access.publication.content.today()
  const key = pageKey({ kind: 'view', content, day, query: '', reader: '', below: ids.rest })
  return exportArchive(await guide(), `${ids.format}.zip`, key)
}

/** Replies with the subset of a font, or as for an address outside all guides. */
export async function fontReply({ site, request, ids, guide }: GuideRequest): Promise<Reply> {
  const { subsetReply } = await import('./library/type/faces/frame-fonts.ts')
  return (await subsetReply(site.downloads, await guide(), ids.rest, request)) ?? notFound(request, site)
}

/** One page for all unknown addresses below a guide that are close to the same pages: always 404, never 304. */
async function missingReply(
  guide: Guide,
  { content, reader, below }: { content: string; reader: string; below: string },
  { headers, ...request }: Request,
): Promise<Reply | undefined> {
  const unconditional = { ...request, headers: { ...headers, 'if-none-match': undefined } }
  const { closestPages, missingPage } = await import('./pages/missing-page.ts')
  const closest = closestPages((await guide.publication.content.pages()).values(), below)
  const { workspace } = guide.publication.record
  const isOffered = !guide.signedIn && !guide.link && offersSignin(guide.site.service.signins, workspace)
  const signIn = isOffered ? guide.site.at(`/-/signin?${new URLSearchParams({ workspace })}`) : ''
  const page = async () => withFonts(guide, await missingPage(guide, closest, signIn))
  const key = pageKey({ kind: 'missing', content, reader: reader + signIn, closest: closest.map(({ id }) => id) })
  const reply = await guide.site.pages.reply(key, unconditional, page)
  return reply && { ...withHeaders(reply, ['Vary', 'Accept']), status: 404 }
}

/**
 * The current path of the page with a former path below its project, such as `archive/cover`, or of its Markdown if the
 * path ends with `.md`; for a page that is not translated, for now that of its original. Undefined if there is none.
 */
async function movedPath(guide: Guide, below: string): Promise<{ path: string; status: 307 | 308 } | undefined> {
  const [, id = '', extension = ''] = groupsOf(/^(.*?)(\.md)?$/s, below)
  const { site, publication } = guide
  const { content, record } = publication
  const pathOf = extension === '' ? site.paths.page : site.paths.markdown
  const movedPage = aliasesIn(await content.pages(), content).get(id)
  if (movedPage !== undefined) return { path: pathOf(record, movedPage), status: 308 }
  const original = await originalIn(guide)
  if (!original) return undefined
  const originalPage = (await original.content.pages()).get(id)
  return originalPage && { path: pathOf(original.record, originalPage.id), status: 307 }
}

/** The page ids of a publication keyed by alias, collected once and cached with its content. */
const aliasesIn = perObject((pages: ReadonlyMap<string, Page>, { grow }: Publication['content']) => {
  const pageIds = new Map(pages.values().flatMap(({ id, aliases = [] }) => aliases.map(alias => [alias, id] as const)))
  grow(pageIds.size * ALIAS_BYTES)
  return pageIds
})
/** Memory per alias, without its text, which the page holds. */
const ALIAS_BYTES = 60

/**
 * The reply to a share link, `{project}/-/share/{secret}`, or below the address of a draft: sets a cookie for the project
 * or the draft, and redirects to its address without the secret, so that the secret is not bookmarked, passed on or
 * cached. Undefined if the link is not valid.
 */
export async function shareLinkReply(
  site: Site,
  request: Request,
  { workspace, project, kind }: ProjectRef & { kind: ShareKind },
  linkSecret: string,
): Promise<Reply | undefined> {
  const { shares } = site.service
  const isDraft = kind === 'draft'
  const cookies = await (isDraft ? shares.drafts : shares).redeem(request, workspace, project, linkSecret)
  if (!cookies) return undefined
  const elsewhere = addressElsewhere(site, request, { workspace, project })
  if (elsewhere !== undefined) return redirect(308, elsewhere)
  const setCookies = cookies.flatMap(cookie => ['Set-Cookie', cookie])
  const privacy = ['Referrer-Policy', 'no-referrer', 'X-Robots-Tag', 'noindex']
  const address = site.at(`/${workspace}/${project}${isDraft ? DRAFT_PATH : ''}`)
  return redirect(303, address, [...setCookies, ...NO_STORE, ...privacy])
}
