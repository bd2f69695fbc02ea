import type { Person } from '../access/session/session-verifier.ts'
import { once } from '../base/promise.ts'
import { nextTurn } from '../base/steps.ts'
import type { ProjectRef } from '../brand/ids.ts'
import { contentEntryKey } from '../caches/caches.ts'
import type { Scope } from '../contract/operations.ts'
import { type Reply, type Request, withHeaders } from '../exchange/message.ts'
import { redirect } from '../exchange/reply.ts'
import { type ArchiveSelection, archiveAt } from '../serving/downloads/archive-selection.ts'
import { openFile } from '../serving/downloads/file-reply.ts'
import { archiveReply } from '../serving/downloads/project-archive.ts'
import { cachingHeaders, type Publication } from '../serving/publications/publications.ts'
import { cacheTags } from '../serving/replies/cache-tags.ts'
import { pagesKey } from '../serving/replies/content-keys.ts'
import type { Representation, ResponseCache } from '../serving/replies/response-cache.ts'
import { type Access, withAccess } from './authorize.ts'
import type { Guide } from './guide/guide.ts'
import { requestedPage } from './layout/pagination.ts'
import { filterQuery, type UseFilter, useFilter } from './library/files/use-filter.ts'
import { withFonts } from './library/with-fonts.ts'
import { movedPath } from './pages/moved-page.ts'
import { isForPeople, MISSING, missingPage } from './pages/not-found.ts'
import type { SiteParts } from './site-parts.ts'
import { wordsFor } from './words/words.ts'

/** Replies at a path below a guide's address, if the request may see the guide. */
export function guideReply(
  parts: SiteParts,
  request: Request,
  ref: ProjectRef,
  below: string,
): Promise<Reply | undefined> {
  return withAccess(parts, request, {
    ref,
    scopes: () => scopesAt(below),
    reply: async access => withTags(parts, access.publication, await replyWithAccess(parts, request, access, below)),
  })
}

/** Adds cache tags to a reply with content of a publication. */
export function withTags(
  { hasCacheTags }: SiteParts,
  publication: Publication,
  reply: Reply | undefined,
): Reply | undefined {
  return reply && hasCacheTags && reply.status < 400 ? withHeaders(reply, cacheTags(publication)) : reply
}

/** Replies at a path below the address of a guide, or of a draft, to a request that may see it. */
export async function replyWithAccess(
  parts: SiteParts,
  request: Request,
  access: Access,
  below: string,
): Promise<Reply | undefined> {
  const { pointers, paths, responseCache } = parts
  const { publication } = access
  const { record } = publication
  if (below === 'index') return redirect(308, paths.project(record))
  const { name: workspace = record.workspace, version } = (await pointers.workspace(record.workspace)) ?? {}
  // Files for programs, which have a dot in their path, show no reader, so that all readers share them.
  const isForAll = below.includes('.')
  const guide = once(() => openGuide(parts, publication, workspace, isForAll ? {} : access))
  const key = pagesKey(publication, workspace)
  const selection = archiveAt(below, request.query, record.project) ?? (await exportArchiveAt(parts, guide, key, below))
  const archive = selection && (await archiveReply(parts, publication, selection, request))
  if (archive) return archive
  if (below.startsWith('-/fonts/'))
    return (await subsetReplies()).subsetReply(parts.downloads, await guide(), below, request)
  if (below === '-/search') return parts.search(await guide(), request)
  const name = below === CONTRAST ? `${below}//${pairQuery(request.query)}` : below
  const number = PAGINATED.test(below) ? requestedPage(request.query) : 1
  const reader = readerKey(access, below, version)
  const filter = FILTERED.test(below) ? useFilter(request.query) : undefined
  // Some files are not offered any more from one day to the next.
  const variant = `${publication.content.today()}:${number}${filterQuery(filter)}`
  // No path has an empty segment, so none has the key of a view for certain readers.
  const viewKey = contentEntryKey(key, `${variant}:${name}${isForAll || reader === '' ? '' : `//${reader}`}`)
  const reply = number && (await responseCache.reply(viewKey, request, () => makeView(guide, name, number, filter)))
  if (reply) return reply
  const moved = await movedPath(await guide(), below)
  if (moved !== undefined)
    return redirect(308, moved + (request.query && `?${request.query}`), cachingHeaders(publication))
  if (!isForPeople(request)) return undefined
  const guideForReader = () => openGuide(parts, publication, workspace, access)
  return missingReply(guideForReader, responseCache, contentEntryKey(key, MISSING + reader), request)
}

/** The part of a cache key for what a page shows about its reader; empty if nothing. */
function readerKey({ hasToken, link, person }: Access, below: string, version: number | undefined): string {
  const signedIn = person ? JSON.stringify([person.name ?? null]) : ''
  return (below === CHANGES ? `${version}:${hasToken}` : below === '' ? (link?.id ?? '') : '') + signedIn
}

/** Opens a guide. Cached replies do not need one. */
export async function openGuide(
  { assets, base, paths, urls, render, fontFacts, fontSubset, earlier, editLinks, copy, files }: SiteParts,
  publication: Publication,
  workspace: string,
  { hasToken = false, link, person }: Partial<Access> = {},
): Promise<Guide> {
  const words = wordsFor(await publication.content.lang())
  const open: Guide['open'] = file => openFile(files, publication.record.workspace, file)
  const parts = { assets, paths, urls, render, fontFacts, fontSubset, earlier, editLinks, copy, link, open }
  const signedIn = person && { name: person.name, signOut: signOutAddress(base, person) }
  return { publication, workspace, hasToken, signedIn, words, ...parts }
}

function signOutAddress(base: string, { workspace }: Pick<Person, 'workspace'>): string {
  return `${base}/-/signout?${new URLSearchParams({ workspace })}`
}

/** The scopes of the content at a path, in addition to document.read, which opens the website. */
async function scopesAt(below: string): Promise<readonly Scope[]> {
  if (ARCHIVE.test(below)) return ['files.read']
  if (!below.startsWith(EXPORTS)) return []
  const { exportScopes } = await import('../export/archives.ts')
  return exportScopes(below.slice(EXPORTS.length))
}

const ARCHIVE = /^-\/(?:files|kits\/.+)\.zip$/s

/** The archive of exports at a path below the address of a project. */
async function exportArchiveAt(
  { exportArchives }: SiteParts,
  guide: () => Promise<Guide>,
  key: string,
  below: string,
): Promise<ArchiveSelection | undefined> {
  if (!EXPORT_ARCHIVE.test(below)) return undefined
  const { exportArchive } = await import('./exports/export-archive.ts')
  const opened = await guide()
  const dayKey = contentEntryKey(key, `${opened.publication.content.today()}:${below}`)
  return exportArchive(exportArchives, dayKey, opened, below.slice(EXPORTS.length))
}

const EXPORTS = '-/exports/'
const EXPORT_ARCHIVE = /^-\/exports\/[^/]+\.zip$/

/** The page of changes since an earlier revision, which may be retracted without a new publication. */
const CHANGES = '-/changes'

/** The page of two colours. */
const CONTRAST = '-/contrast'

/** The part of a query that chooses a pair, always in the same form: `?text=ink&ground=paper`. */
function pairQuery(query: string): string {
  const given = new URLSearchParams(query)
  const chosen = ['text', 'ground'].flatMap(name => (given.get(name) ? [[name, given.get(name) ?? '']] : []))
  return chosen.length === 0 ? '' : `?${new URLSearchParams(chosen)}`
}

/** Paged lists, which read `?page=`. No other page has a query. */
const PAGINATED = /^-\/(?:colors|type|type\.css|pages|contrast\/.+)$/

/** Lists of files, which read `?medium=`, `?ground=` and `?minWidth=`. */
const FILTERED = /^-\/files(?:[/.]|$)/

/** Starts in a new turn of the event loop, so that other requests wait for at most one view. */
async function makeView(
  guide: () => Promise<Guide>,
  below: string,
  number: number,
  filter: UseFilter | undefined,
): Promise<Representation | undefined> {
  await nextTurn()
  return (await views()).viewAt(await guide(), below, number, filter)
}

/** Loaded after the start, which they would delay. */
const views = () => import('./views.ts')

const subsetReplies = () => import('./library/type/faces/subset-reply.ts')

/** One page for all unknown addresses below a guide: always 404, never 304. */
async function missingReply(
  guide: () => Promise<Guide>,
  responseCache: ResponseCache,
  key: string,
  { headers, ...request }: Request,
): Promise<Reply | undefined> {
  const unconditional = { ...request, headers: { ...headers, 'if-none-match': undefined } }
  const page = async () => withFonts(await guide(), await missingPage(await guide()))
  const reply = await responseCache.reply(key, unconditional, page)
  return reply && { ...withHeaders(reply, ['Vary', 'Accept']), status: 404 }
}
