import type { Gate } from '../access/gate.ts'
import { coversProject } from '../access/grant.ts'
import type { Shares } from '../access/share-gate.ts'
import type { MaybePromise } from '../brand/maybe-promise.ts'
import { answerMethod } from '../contract/methods.ts'
import { refusalReply, refuse } from '../contract/refusals.ts'
import type { Reply, Request } from '../exchange/message.ts'
import { decodeSegments } from '../exchange/target.ts'
import type { Downloads } from '../serving/downloads.ts'
import type { Pointers } from '../serving/pointers.ts'
import type { OpenPublication, Publication } from '../serving/publications.ts'
import { html } from './html.ts'
import { pageReply } from './layout.ts'
import { shareLinkReply } from './share-link.ts'

/** What the website answers from. */
export type SiteParts = {
  pointers: Pointers
  openPublication: OpenPublication
  downloads: Downloads
  gate: Gate
  shares: Shares
  publicUrl: string
  clock: () => number
}

/** Answers a request for the website: `/{workspace}/{project}`, and the files and share links below it. */
export async function answerSite(parts: SiteParts, request: Request): Promise<Reply> {
  const reply = await replyAt(parts, request)
  if (!reply) return refusalReply(refuse('not-found'), parts.publicUrl)
  return answerMethod(request.method, parts.publicUrl) ?? reply
}

async function replyAt(parts: SiteParts, request: Request): Promise<Reply | undefined> {
  const [workspace = '', project = '', ...rest] = decodeSegments(request.path) ?? []
  const record = parts.pointers.workspace(workspace)?.projects.get(project)
  if (rest.length === 0) {
    const isOpen = record?.published?.visibility === 'public' || (await mayRead(parts, request, workspace, project))
    const publication = isOpen ? parts.openPublication(record) : undefined
    return publication && projectPage(publication)
  }
  const [dash, what, key = '', name = ''] = rest
  if (rest.length === 3 && dash === '-' && what === 'share') {
    const opened = shareLinkReply(parts, { workspace, project }, key)
    return record && opened
  }
  const isFile = rest.length === 4 && dash === '-' && what === 'files'
  const publication = isFile ? parts.openPublication(record) : undefined
  return publication && parts.downloads(publication, key, name, request)
}

/**
 * Whether a request has the cookie of a share link to a project, or a token that covers it and carries document.read.
 * That is found out where there is no such project as well, so that the time it takes does not tell which private
 * projects there are.
 */
async function mayRead(parts: SiteParts, request: Request, workspace: string, project: string): Promise<boolean> {
  if (parts.shares.admits(request, workspace, project, parts.clock())) return true
  if (request.authorizations === 0) return false
  const grant = await verified(parts, request)
  return 'workspace' in grant && grant.workspace === workspace && grant.scopes.has('document.read')
    ? coversProject(grant, project)
    : false
}

function verified(parts: SiteParts, request: Request): MaybePromise<Awaited<ReturnType<Gate['verify']>>> {
  return parts.gate.verify(request, parts.clock())
}

function projectPage({ published }: Publication): Reply {
  const main = html`<h1>${published.name}</h1>
<p class="quiet">Revision ${published.revision}, published ${published.publishedAt.toISOString().slice(0, 10)}.</p>
<p>The pages of this guide are read through the API, which <a href="/docs">its documentation</a> describes.</p>`
  return pageReply(published.name, main, published.visibility === 'public' ? PUBLIC : PRIVATE)
}

const PUBLIC = ['Cache-Control', 'public, no-cache', 'Vary', 'Authorization, Cookie'] as const
const PRIVATE = [
  ...['Cache-Control', 'private, no-cache', 'Vary', 'Authorization, Cookie'],
  ...['X-Robots-Tag', 'noindex'],
] as const
