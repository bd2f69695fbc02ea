import type { MaybePromise } from '../base/promise.ts'
import type { ProjectRef } from '../brand/ids.ts'
import { refusalReply, refuse, refuseUnavailable } from '../contract/refusals.ts'
import { answerMethod } from '../contract/route.ts'
import type { Reply, Request } from '../exchange/message.ts'
import { redirect } from '../exchange/reply.ts'
import { decodeSegments } from '../exchange/target.ts'
import { ProcessFailed, QueueFull } from '../processes/failure.ts'
import { recordAt } from './authorize.ts'
import { belowDraft, draftReply } from './draft-reply.ts'
import { type FileAddress, fileAddress, fileReply } from './file-address.ts'
import { folderSchema } from './folder-schemas.ts'
import { guideReply, withTags } from './guide-reply.ts'
import { EVENTS_PATH } from './live.ts'
import { homeReply } from './pages/home.ts'
import { notFound } from './pages/not-found.ts'
import { workspaceReply } from './pages/workspace-page.ts'
import { shareLinkReply } from './share-link.ts'
import type { SiteParts } from './site-parts.ts'
import { rootText } from './texts/root-texts.ts'

/**
 * Answers a request for the website: `/{workspace}/{project}` and paths below it, and the files that all guides share.
 * Other methods than GET and HEAD get the same reply everywhere, which costs nothing.
 */
export async function answerSite(parts: SiteParts, request: Request): Promise<Reply> {
  const refused = answerMethod(request.method, parts.publicUrl)
  if (refused) return refused
  const reply = await replyAt(parts, request).catch(error => unavailableReply(error, parts.publicUrl))
  return reply ?? notFound(request, parts)
}

/** A reply with Retry-After if child processes are overloaded or failed; rethrows other errors. */
function unavailableReply(error: unknown, publicUrl: string): Reply {
  if (error instanceof QueueFull) return refusalReply(refuseUnavailable(), publicUrl)
  if (error instanceof ProcessFailed) return refusalReply(refuse('unavailable', ['Retry-After', '5']), publicUrl)
  throw error
}

async function replyAt(parts: SiteParts, request: Request): Promise<Reply | undefined> {
  const shared = await sharedReply(parts, request)
  if (shared) return shared
  const [workspace = '', project = '', ...below] = decodeSegments(request.path) ?? []
  if (project === '') return withoutSlash(parts, request) ?? workspaceReply(parts, request, workspace)
  const ref = { workspace, project }
  const draft = belowDraft(below)
  if (draft) return draftReply(parts, request, ref, draft)
  const [dash, kind, secret = ''] = below
  if (dash === '-' && kind === 'share' && below.length === 3) return shareReply(parts, request, ref, secret)
  const file = fileAddress(parts, request, below)
  if (file) return publishedFileReply(parts, ref, file)
  if (below.length === 0 && project.endsWith('.md'))
    return guideReply(parts, request, { workspace, project: project.slice(0, -3) }, 'index.md')
  return guideReply(parts, request, ref, below.join('/'))
}

/** Replies for addresses outside workspaces. */
function sharedReply(parts: SiteParts, request: Request): MaybePromise<Reply | undefined> {
  const { path } = request
  if (path === EVENTS_PATH && parts.live) return parts.live.events()
  const asset = parts.assets.find(path)
  if (asset) return parts.responseCache.reply(path, request, () => asset)
  const schema = folderSchema(path)
  if (schema) return parts.responseCache.reply(path, request, schema)
  return path === '/' ? homeReply(parts, request) : rootText(parts, request)
}

/** Redirects to the path without its trailing slash, if it is otherwise valid. */
function withoutSlash({ base }: SiteParts, { path, query }: Request): Reply | undefined {
  const segments = path.endsWith('/') && decodeSegments(path.slice(0, -1))
  // Encoded again, because browsers would treat a leading backslash as the host of another site.
  return segments
    ? redirect(308, `${base}/${segments.map(encodeURIComponent).join('/')}${query && `?${query}`}`)
    : undefined
}

/** The project is looked up only for a valid link, so that response time does not reveal which projects exist. */
async function shareReply(parts: SiteParts, ...[request, ref, secret]: ShareAsked): Promise<Reply | undefined> {
  const reply = await shareLinkReply(parts, request, { ...ref, kind: 'guide' }, secret)
  return reply && (await recordAt(parts.pointers, ref)) && reply
}

type ShareAsked = [request: Request, ref: ProjectRef, linkSecret: string]

/** The key is checked first, so that response time does not reveal which projects exist. */
async function publishedFileReply(parts: SiteParts, ref: ProjectRef, address: FileAddress): Promise<Reply | undefined> {
  if (!parts.urls.isFileKey(ref, address.key)) return undefined
  const publication = parts.openPublication(await recordAt(parts.pointers, ref))
  const reply = publication && (await fileReply(parts, publication, address))
  return publication && withTags(parts, publication, reply)
}
