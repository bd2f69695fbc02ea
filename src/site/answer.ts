import type { Shares } from '../access/share/share-verifier.ts'
import type { TokenVerifier } from '../access/token/token-verifier.ts'
import { type MaybePromise, once } from '../base/promise.ts'
import { nextTurn } from '../base/steps.ts'
import type { BrandFile } from '../brand/file.ts'
import type { Cache } from '../caches/cache.ts'
import { keyWithin } from '../caches/caches.ts'
import { refusalReply, refuse, refuseUnavailable } from '../contract/refusals.ts'
import { answerMethod } from '../contract/route.ts'
import { type MinRate, type Reply, type Request, withHeaders } from '../exchange/message.ts'
import { redirect } from '../exchange/reply.ts'
import { decodeSegments } from '../exchange/target.ts'
import { ProcessFailed, TooMuchWaiting } from '../processes/pool.ts'
import type { Addresses } from '../serving/addresses.ts'
import { type ArchiveSelection, archiveAt } from '../serving/downloads/archive-selection.ts'
import type { Downloads } from '../serving/downloads/downloads.ts'
import { type ArchiveParts, archiveReply } from '../serving/downloads/project-archive.ts'
import type { Slots } from '../serving/downloads/slots.ts'
import type { OpenProjects } from '../serving/pointers/open-projects.ts'
import type { Pointers } from '../serving/pointers/pointers.ts'
import type { FindEarlier } from '../serving/publications/earlier.ts'
import { cachingOf, type OpenPublication, type Publication } from '../serving/publications/publications.ts'
import { pagesKey } from '../serving/replies/content-keys.ts'
import type { Representation, ResponseCache } from '../serving/replies/response-cache.ts'
import type { Assets } from './assets.ts'
import { authorize, type ProjectRef, recordAt } from './authorize.ts'
import type { ExportedArchive } from './exports/export-archive.ts'
import { folderSchema } from './folder-schemas.ts'
import type { FontReader } from './fonts/font-reader.ts'
import type { Guide, GuideCopy } from './guide/guide.ts'
import { requestedPage } from './layout/pagination.ts'
import { withFonts } from './library/with-fonts.ts'
import { EVENTS_PATH, type Live } from './live.ts'
import type { Renderer } from './markdown/renderer.ts'
import { homeReply } from './pages/home.ts'
import { movedPath } from './pages/moved-page.ts'
import { isForPeople, MISSING, missingPage, notFound } from './pages/not-found.ts'
import { workspaceReply } from './pages/workspace-page.ts'
import type { Search } from './search/search.ts'
import { shareLinkReply } from './share-link.ts'
import { rootText } from './texts/root-texts.ts'
import { thumbnailWidth } from './thumbnails/thumbnail.ts'
import type { Thumbnails } from './thumbnails/thumbnails.ts'
import { wordsFor } from './words/words.ts'

/** What the website answers from. */
export type SiteParts = {
  pointers: Pointers
  openProjects: OpenProjects
  openPublication: OpenPublication
  verifier: TokenVerifier
  shares: Shares
  clock: () => number
  /** The service's own address, without a slash at its end. */
  publicUrl: string
  /** The path of the public URL. */
  base: string
  /** Whole addresses, and addresses as paths. */
  urls: Addresses
  paths: Addresses
  assets: Assets
  responseCache: ResponseCache
  render: Renderer['render']
  fontFacts: FontReader['facts']
  earlier: FindEarlier
  search: Search
  files: ArchiveParts['files']
  downloads: Downloads
  thumbnails: Thumbnails
  archiveSlots: Slots
  archiveRate: MinRate
  archiveLengths: ArchiveParts['archiveLengths']
  /** The files of archives of exports. */
  exportArchives: Cache<ExportedArchive>
  /** The event stream of `dev`; undefined for any other service. */
  live: Live | undefined
  /** Set if what is answered goes into a copy of the guide. */
  copy: GuideCopy | undefined
}

/** Answers a request for the website: `/{workspace}/{project}`, what stands below it, and what all guides share. */
export async function answerSite(parts: SiteParts, request: Request): Promise<Reply> {
  const reply = await replyAt(parts, request).catch(error => unavailableReply(error, parts.publicUrl))
  if (!reply) return notFound(request, parts)
  return answerMethod(request.method, parts.publicUrl) ?? reply
}

/** Tells the client when to ask again if child processes have too much to do or failed; throws any other error. */
function unavailableReply(error: unknown, publicUrl: string): Reply {
  if (error instanceof TooMuchWaiting) return refusalReply(refuseUnavailable(), publicUrl)
  if (error instanceof ProcessFailed) return refusalReply(refuse('unavailable', ['Retry-After', '5']), publicUrl)
  throw error
}

async function replyAt(parts: SiteParts, request: Request): Promise<Reply | undefined> {
  const shared = await sharedReply(parts, request)
  if (shared) return shared
  const [workspace = '', project = '', ...below] = decodeSegments(request.path) ?? []
  if (project === '') return withoutSlash(parts, request) ?? workspaceReply(parts, request, workspace)
  const [dash, kind, key = '', name = '', rest = ''] = below
  if (dash === '-' && kind === 'share' && below.length === 3)
    return shareReply(parts, request, { workspace, project }, key)
  if (dash === '-' && kind === 'files' && below.length === 4)
    return fileReply(parts, { workspace, project }, { key, name }, (publication, file) =>
      parts.downloads.reply(publication, file, request),
    )
  if (dash === '-' && kind === 'thumbnails' && below.length === 5)
    return fileReply(parts, { workspace, project }, { key, name: rest }, (publication, file) => {
      const width = thumbnailWidth(name)
      return width && parts.thumbnails(publication, file, width, request)
    })
  if (below.length === 0 && project.endsWith('.md'))
    return guideReply(parts, request, { workspace, project: project.slice(0, -3) }, 'index.md')
  return guideReply(parts, request, { workspace, project }, below.join('/'))
}

/** What belongs to no workspace. */
function sharedReply(parts: SiteParts, request: Request): MaybePromise<Reply | undefined> {
  const { path } = request
  if (path === EVENTS_PATH && parts.live) return parts.live.events()
  const asset = parts.assets.find(path)
  if (asset) return parts.responseCache.reply(path, request, () => asset)
  const schema = folderSchema(path)
  if (schema) return parts.responseCache.reply(path, request, schema)
  return path === '/' ? homeReply(parts, request) : rootText(parts, request)
}

/** The path without the slash at its end, if it has no other fault. */
function withoutSlash({ base }: SiteParts, { path, query }: Request): Reply | undefined {
  const segments = path.endsWith('/') && decodeSegments(path.slice(0, -1))
  // Encoded again: browsers would take a backslash at the start for the host of another site.
  return segments
    ? redirect(308, `${base}/${segments.map(encodeURIComponent).join('/')}${query && `?${query}`}`)
    : undefined
}

/** The project is looked up only for a valid link, so that the time does not tell which projects exist. */
async function shareReply(parts: SiteParts, ...[request, ref, secret]: ShareAsked): Promise<Reply | undefined> {
  const reply = await shareLinkReply(parts, request, ref, secret)
  return reply && (await recordAt(parts.pointers, ref)) && reply
}

type ShareAsked = [request: Request, ref: ProjectRef, linkSecret: string]

/** The key is checked first, so that the time it takes does not tell which projects exist. */
async function fileReply(
  parts: SiteParts,
  ref: ProjectRef,
  { key, name }: { key: string; name: string },
  reply: (publication: Publication, file: BrandFile) => MaybePromise<Reply | undefined>,
): Promise<Reply | undefined> {
  if (!parts.urls.isFileKey(ref, key)) return undefined
  const publication = parts.openPublication(await recordAt(parts.pointers, ref))
  const file = publication && (await parts.downloads.find(publication, key, name))
  return file && reply(publication, file)
}

/** What a guide shows at a path below its own, to those who may see it. */
async function guideReply(
  parts: SiteParts,
  request: Request,
  ref: ProjectRef,
  below: string,
): Promise<Reply | undefined> {
  const publication = await authorize(parts, request, ref)
  if (!publication) return undefined
  const { pointers, paths, responseCache } = parts
  const { record } = publication
  if (below === 'index') return redirect(308, paths.project(record))
  const { name: workspace = record.workspace, version } = (await pointers.workspace(record.workspace)) ?? {}
  const guide = once(() => openGuide(parts, publication, workspace))
  const key = pagesKey(publication, workspace)
  const selection = archiveAt(below, request.query, record.project) ?? (await exportArchiveAt(parts, guide, key, below))
  const archive = selection && (await archiveReply(parts, publication, selection, request))
  if (archive) return archive
  if (below === '-/search') return parts.search(await guide(), request)
  const number = PAGINATED.test(below) ? requestedPage(request.query) : 1
  const viewKey = keyWithin(key, `${number}:${below}${below === CHANGES ? `@${version}` : ''}`)
  const reply = number && (await responseCache.reply(viewKey, request, () => makeView(guide, below, number)))
  if (reply) return reply
  const moved = await movedPath(await guide(), below)
  if (moved !== undefined) return redirect(308, moved + (request.query && `?${request.query}`), cachingOf(publication))
  return isForPeople(request) ? missingReply(guide, responseCache, keyWithin(key, MISSING), request) : undefined
}

/** A guide, made when something is made from it: a reply that is kept needs none. */
export async function openGuide(
  { assets, paths, urls, render, fontFacts, earlier, copy }: SiteParts,
  publication: Publication,
  workspace: string,
): Promise<Guide> {
  const words = wordsFor(await publication.content.lang())
  return { publication, workspace, assets, paths, urls, render, fontFacts, earlier, words, copy }
}

/** The archive of exports at a path below the address of a project; its code is loaded when the first is asked for. */
async function exportArchiveAt(
  { exportArchives }: SiteParts,
  guide: () => Promise<Guide>,
  key: string,
  below: string,
): Promise<ArchiveSelection | undefined> {
  if (!EXPORT_ARCHIVE.test(below)) return undefined
  const { exportArchive } = await import('./exports/export-archive.ts')
  return exportArchive(exportArchives, keyWithin(key, below), await guide(), below.slice(EXPORTS.length))
}

const EXPORTS = '-/exports/'
const EXPORT_ARCHIVE = /^-\/exports\/[^/]+\.zip$/

/** What has changed since an earlier revision, which may be taken back without a new one. */
const CHANGES = '-/changes'

/** Lists in pages, which read `?page=`. Any other query changes nothing. */
const PAGINATED = /^-\/(?:colors|type|type\.css|pages|contrast\/.+)$/

/** Starts in another turn of the event loop, so that others wait for at most one view. */
async function makeView(
  guide: () => Promise<Guide>,
  below: string,
  number: number,
): Promise<Representation | undefined> {
  await nextTurn()
  return (await views()).viewAt(await guide(), below, number)
}

/** Loaded when a page is first made, so that a service that only answers the API starts without them. */
const views = () => import('./views.ts')

/** One page for every unknown address below a guide: always 404, and never 304, even if the client has a copy. */
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
