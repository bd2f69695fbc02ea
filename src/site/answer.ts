import type { Shares } from '../access/share/share-verifier.ts'
import type { TokenVerifier } from '../access/token/token-verifier.ts'
import { nextTurn } from '../base/steps.ts'
import { keyWithin } from '../caches/caches.ts'
import { answerMethod } from '../contract/methods.ts'
import { refusalReply, refuse } from '../contract/refusals.ts'
import { type LeastRate, type Reply, type Request, withHeaders } from '../exchange/message.ts'
import { decodeSegments } from '../exchange/target.ts'
import { ProcessFailed, TooMuchWaiting } from '../processes/pool.ts'
import type { Addresses } from '../serving/addresses.ts'
import { pagesKey, workspaceKey } from '../serving/content-keys.ts'
import type { Downloads } from '../serving/downloads/downloads.ts'
import { type ArchiveParts, archiveReply } from '../serving/downloads/project-archive.ts'
import type { Slots } from '../serving/downloads/slots.ts'
import type { Pointers } from '../serving/pointers.ts'
import type { OpenPublication, Publication } from '../serving/publications.ts'
import type { Representation, ResponseCache } from '../serving/response-cache.ts'
import type { Assets } from './assets.ts'
import { authorize } from './authorize.ts'
import type { Guide } from './guide/guide.ts'
import { askedPage } from './layout/pagination.ts'
import { EVENTS_PATH, type Live } from './live.ts'
import type { Renderer } from './markdown/renderer.ts'
import { homeReply } from './pages/home.ts'
import { isForPeople, MISSING, missingPage, notFound } from './pages/not-found.ts'
import { workspacePage } from './pages/workspace-page.ts'
import type { Search } from './search/search.ts'
import { shareLinkReply } from './share-link.ts'
import { rootText } from './texts/root-texts.ts'

/** What the website answers from. */
export type SiteParts = {
  pointers: Pointers
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
  prepared: ResponseCache
  render: Renderer['render']
  search: Search
  files: ArchiveParts['files']
  downloads: Downloads
  archiveSlots: Slots
  archiveRate: LeastRate
  /** What pages listen to, if they do. */
  live: Live | undefined
}

/** Answers a request for the website: `/{workspace}/{project}`, what stands below it, and what all guides share. */
export async function answerSite(parts: SiteParts, request: Request): Promise<Reply> {
  const reply = await replyAt(parts, request).catch(error => busy(error, parts.publicUrl))
  if (!reply) return notFound(request, parts)
  return answerMethod(request.method, parts.publicUrl) ?? reply
}

function busy(error: unknown, publicUrl: string): Reply {
  const wait = error instanceof TooMuchWaiting ? '1' : error instanceof ProcessFailed ? '5' : undefined
  if (wait === undefined) throw error
  return refusalReply(refuse('unavailable', ['Retry-After', wait]), publicUrl)
}

async function replyAt(parts: SiteParts, request: Request): Promise<Reply | undefined> {
  const { path } = request
  if (path === EVENTS_PATH && parts.live) return parts.live.events()
  const asset = parts.assets.find(path)
  if (asset) return parts.prepared.reply(path, request, () => asset)
  if (path === '/') return homeReply(parts, request)
  const text = await rootText(parts, request)
  if (text) return text
  const [workspace = '', project = '', ...below] = decodeSegments(path) ?? []
  if (project === '') return withoutSlash(parts, request) ?? workspaceReply(parts, request, workspace)
  const record = parts.pointers.workspace(workspace)?.projects.get(project)
  const [dash, what, key = '', name = ''] = below
  if (below.length === 3 && dash === '-' && what === 'share') {
    const opened = shareLinkReply(parts, request, { workspace, project }, key)
    return record && opened
  }
  if (below.length === 4 && dash === '-' && what === 'files') {
    // Looked at first, so that the time it takes does not tell which projects there are.
    const publication = parts.urls.isFileKey({ workspace, project }, key) && parts.openPublication(record)
    return publication ? parts.downloads(publication, key, name, request) : undefined
  }
  const isTwin = below.length === 0 && project.endsWith('.md')
  const publication = await authorize(parts, request, workspace, isTwin ? project.slice(0, -3) : project)
  return publication && guideReply(parts, request, publication, isTwin ? 'index.md' : below.join('/'))
}

/** The path without the slash at its end, where it has no other fault. */
function withoutSlash({ base }: SiteParts, { path, query }: Request): Reply | undefined {
  const segments = path.endsWith('/') && decodeSegments(path.slice(0, -1))
  // Encoded anew: browsers would take a backslash at the start for another host.
  return segments ? redirect(`${base}/${segments.map(encodeURIComponent).join('/')}${query && `?${query}`}`) : undefined
}

async function workspaceReply(parts: SiteParts, request: Request, id: string): Promise<Reply | undefined> {
  const state = parts.pointers.workspace(id)
  if (!state || state.open.length === 0) return undefined
  return parts.prepared.reply(workspaceKey(state), request, () => workspacePage(state, parts))
}

async function guideReply(
  parts: SiteParts,
  request: Request,
  publication: Publication,
  below: string,
): Promise<Reply | undefined> {
  const { pointers, assets, paths, urls, render, prepared } = parts
  const { record } = publication
  if (below === 'index') return redirect(paths.project(record))
  if (below === '-/files.zip') return archiveReply(parts, publication, request)
  const workspace = pointers.workspace(record.workspace)?.name ?? record.workspace
  const guide: Guide = { publication, workspace, assets, paths, urls, render }
  if (below === '-/search') return parts.search(guide, request)
  const key = pagesKey(publication, workspace)
  const number = IN_PAGES.test(below) ? askedPage(request.query) : 1
  const view = keyWithin(key, `${number}:${below}`)
  const reply = number && (await prepared.reply(view, request, () => makeView(guide, below, number)))
  return reply || (isForPeople(request) ? missing(guide, prepared, keyWithin(key, MISSING), request) : undefined)
}

/** What is shown in pages where it is long: what else a query says of these, or of other addresses, changes nothing. */
const IN_PAGES = /^-\/(?:colors|type|type\.css|pages|contrast\/.+)$/

/** Each begins in a turn of its own, so that others wait for one of them alone. */
async function makeView(guide: Guide, below: string, number: number): Promise<Representation | undefined> {
  await nextTurn()
  return (await views()).viewAt(guide, below, number)
}

/** Loaded when a page is first made: a service that is asked for the API alone starts without them. */
const views = () => import('./views.ts')

/** One page for all addresses where there is nothing. It is there for none of them, whatever a request has of it already. */
async function missing(
  guide: Guide,
  prepared: ResponseCache,
  key: string,
  { headers, ...request }: Request,
): Promise<Reply | undefined> {
  const unconditional = { ...request, headers: { ...headers, 'if-none-match': undefined } }
  const reply = await prepared.reply(key, unconditional, () => missingPage(guide))
  return reply && { ...withHeaders(reply, ['Vary', 'Accept']), status: 404 }
}

/** Leads on to a path at whatever host was asked. */
function redirect(to: string): Reply {
  return { status: 308, headers: ['Location', to, 'Cache-Control', 'no-store'], body: new Uint8Array() }
}
