import type { Gate } from '../access/gate.ts'
import { coversProject } from '../access/grant.ts'
import type { MaybePromise } from '../brand/maybe-promise.ts'
import { answerMethod } from '../contract/methods.ts'
import { refusalReply, refuse } from '../contract/refusals.ts'
import type { Reply, Request } from '../exchange/message.ts'
import { decodeSegments } from '../exchange/target.ts'
import type { Downloads } from '../serving/downloads.ts'
import type { Pointers } from '../serving/pointers.ts'
import { type ArchiveParts, archiveReply } from '../serving/project-archive.ts'
import type { OpenPublication, Publication } from '../serving/publications.ts'
import { html } from './html.ts'
import { pageReply } from './layout.ts'

/** What the website answers from. */
export type SiteParts = ArchiveParts & {
  pointers: Pointers
  openPublication: OpenPublication
  downloads: Downloads
  gate: Gate
  publicUrl: string
  clock: () => number
}

/** Answers a request for the website: `/{workspace}/{project}` and the files below it. */
export async function answerSite(parts: SiteParts, request: Request): Promise<Reply> {
  const reply = await replyAt(parts, request)
  if (!reply) return refusalReply(refuse('not-found'), parts.publicUrl)
  return answerMethod(request.method, parts.publicUrl) ?? reply
}

async function replyAt(parts: SiteParts, request: Request): Promise<Reply | undefined> {
  const [workspace = '', project = '', ...rest] = decodeSegments(request.path) ?? []
  const record = parts.pointers.workspace(workspace)?.projects.get(project)
  const isArchive = rest.length === 2 && rest[0] === '-' && rest[1] === 'files.zip'
  if (rest.length === 0 || isArchive) {
    const isOpen = record?.published?.visibility === 'public' || (await mayRead(parts, request, workspace, project))
    const publication = isOpen ? parts.openPublication(record) : undefined
    return publication && (isArchive ? archiveReply(parts, publication, request) : projectPage(publication))
  }
  const [dash, files, key = '', name = ''] = rest
  const isFile = rest.length === 4 && dash === '-' && files === 'files'
  const publication = isFile ? parts.openPublication(record) : undefined
  return publication && parts.downloads(publication, key, name, request)
}

/**
 * Whether a token of the request covers a project and carries document.read. That is found out where there is no such
 * project as well, so that the time it takes does not tell which private projects there are.
 */
async function mayRead(parts: SiteParts, request: Request, workspace: string, project: string): Promise<boolean> {
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
  const caching = published.visibility === 'public' ? 'public, no-cache' : 'private, no-cache'
  return pageReply(published.name, main, ['Cache-Control', caching, 'Vary', 'Authorization'])
}
